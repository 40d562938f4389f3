/** Ten tools over files: typed resources, nested edits, batches, options of every kind. */
import { ArrayMaxSize, ArrayMinSize, ArrayNotEmpty, ArrayUnique, IsInt, IsNotEmpty, Matches, Max, MaxLength, Min, MinLength, NotContains } from 'class-validator';
import { FromContext, Param, Tool, record } from '../../../index.js';

@Tool('Read lines of a text file.', { title: 'Read', scopes: ['read'], tags: ['file'], timeoutMs: 5_000, examples: [{ path: 'README.md', limit: 20 }] })
export class ReadLines {
  @Param('File to read', { kind: 'path', access: 'read', examples: ['src/index.ts'] }) @IsNotEmpty() path!: string;
  @Param('First line, from 1') @IsInt() @Min(1) offset: number = 1;
  @Param('Most lines to return') @IsInt() @Min(1) @Max(2_000) limit: number = 500;
  execute() {
    return this.path;
  }
}

class Edit {
  @Param('Text to find, exactly as it stands') @MinLength(1) old_text!: string;
  @Param('Text to put in its place') new_text!: string;
  @Param('Replace every occurrence') replace_all: boolean = false;
}

@Tool('Make several edits in one file, all or none.', { scopes: ['write'], destructive: true, concurrency: 'exclusive', retry: { attempts: 1 } })
export class EditBatch {
  @Param('File to edit', { kind: 'path', access: 'write' }) path!: string;
  @Param('Edits, in order', { type: () => Edit }) @ArrayNotEmpty() @ArrayMaxSize(100) edits!: Edit[];
  execute() {
    return this.edits.length;
  }
}

@Tool('Copy files into a folder.', { scopes: ['read', 'write'], idempotent: true })
export class CopyFiles {
  @Param('Files to copy', { kind: 'path', access: 'read', type: () => String }) @ArrayMinSize(1) @ArrayUnique() sources!: string[];
  @Param('Folder to copy to', { name: 'target_dir', kind: 'path', access: 'write' }) targetDir!: string;
  execute() {
    return this.targetDir;
  }
}

@Tool('Delete a file.', { scopes: ['write', 'dangerous'], confirm: true, cost: 2 })
export class DeleteFile {
  @Param('File to delete', { kind: 'path', access: 'write' }) @NotContains('*') path!: string;
  @FromContext('user') user: string = '';
  execute() {
    return this.user;
  }
}

enum Encoding {
  Utf8 = 'utf-8',
  Utf16 = 'utf-16le',
  Latin1 = 'latin1',
}

@Tool('Write a whole file.', { scopes: ['write'], degradeTo: 'edit_batch', capability: 'file.write' })
export class WriteText {
  @Param('File to write', { kind: 'path', access: 'write' }) path!: string;
  @Param('The whole content') @MaxLength(1_000_000) content!: string;
  @Param('Encoding', { enum: Encoding }) encoding: Encoding = Encoding.Utf8;
  execute() {
    return this.content.length;
  }
}

@Tool('Find files by a glob pattern.', { scopes: ['read'], maxOutputChars: 20_000 })
export class FindFiles {
  @Param('Pattern, e.g. **/*.ts', { kind: 'glob', access: 'read' }) pattern!: string;
  @Param('Folders to leave out', { type: () => String }) exclude: Set<string> = new Set(['node_modules']);
  execute() {
    return [...this.exclude];
  }
}

@Tool('Set extended attributes of a file.', { scopes: ['write'], defer: true })
export class SetAttributes {
  @Param('File', { kind: 'path', access: 'write' }) path!: string;
  @Param('Attributes by name', { type: () => record(String, /^user\.[a-z]+$/) }) attributes!: Record<string, string>;
  execute() {
    return Object.keys(this.attributes);
  }
}

class TreeEntry {
  @Param('Name of the file or folder') @Matches(/^[^/]+$/) name!: string;
  @Param('Content of a file', { optional: true }) content?: string;
  @Param('Entries of a folder', { type: () => TreeEntry, optional: true }) entries?: TreeEntry[];
}

@Tool('Create a tree of folders and files.', { scopes: ['write'] })
export class CreateTree {
  @Param('Folder to create it in', { kind: 'path', access: 'write' }) root: string = '.';
  @Param('The tree') tree!: TreeEntry;
  execute() {
    return this.tree.name;
  }
}

@Tool('Search text with a regular expression.', { name: 'search_text', scopes: ['read'], tags: ['search', 'file'], rateLimit: { max: 30, perMs: 60_000, by: 'session' } })
export class SearchText {
  @Param('Regular expression') @MinLength(1) @MaxLength(1_000) pattern!: string;
  @Param('Lines of context before and after', { optional: true }) @IsInt() @Min(0) @Max(20) context?: number;
  @Param('Match upper and lower case alike') ignore_case: boolean = false;
  execute() {
    return this.pattern;
  }
}

@Tool('Old way to list a folder.', { scopes: ['read'], deprecated: 'use find_files' })
export class ListOld {
  @Param('Folder', { kind: 'path' }) path: string = '.';
  @Param('Has no effect any more', { deprecated: true, optional: true }) recursive?: boolean;
  execute() {
    return this.path;
  }
}
