// Completion at the prompt: slash commands at the start of the line, @files of the workspace anywhere.
import type { Workspace } from '@haft/core';
import { mentionOf } from '../attach/mentions.js';
import type { Completer } from '../input/line-editor.js';
import { slashCommands } from './slash-commands.js';

/** Answers with the candidates and the part of the line that they replace. */
export function completer(workspace: Workspace): Completer {
  return async (line) => {
    if (/^\/\S*$/.test(line)) return [Object.keys(slashCommands).filter((name) => name.startsWith(line)), line];
    const [, typed] = /(?:^|[\s([{"'<,])(@(?:"[^"]*|[^\s"]*))$/.exec(line) ?? [];
    return typed === undefined ? [[], line] : [await files(typed.replace(/^@"?/, ''), workspace), typed];
  };
}

async function files(word: string, workspace: Workspace): Promise<string[]> {
  const slash = word.lastIndexOf('/');
  const folder = slash < 0 ? '.' : word.slice(0, slash);
  const prefix = slash < 0 ? '' : word.slice(0, slash + 1);
  try {
    const { entries } = await workspace.list(folder);
    const names = entries.map(({ name, kind }) => `${prefix}${name}${kind === 'directory' ? '/' : ''}`);
    return names.filter((name) => name.startsWith(word) && (word.includes('.') || !name.startsWith(`${prefix}.`))).slice(0, 200).map(mentionOf);
  } catch {
    return []; // No such folder: nothing to complete.
  }
}
