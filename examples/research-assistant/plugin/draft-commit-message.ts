// Drafts a commit message for what is staged. git runs with a fixed command line, through the process runner.
import { Param, Tool, type ToolContext, ToolFailure, Workspace } from '@haft/core';
import { ProcessRunner } from '@haft/process';
import { MaxLength } from 'class-validator';
import { type Change, draftMessage } from './commit-message.js';

@Tool('Draft a commit message for the staged changes. It commits nothing.', { name: 'draft_commit_message', scopes: ['read'], idempotent: true, timeoutMs: 20_000 })
export class DraftCommitMessage {
  @Param('What the change is for, in a few words, e.g. "read quoted CSV fields"', { optional: true }) @MaxLength(100)
  why?: string;

  constructor(
    private readonly workspace: Workspace,
    private readonly processes: ProcessRunner,
  ) {}

  access() {
    return [{ kind: 'path' as const, mode: 'read' as const, value: '.' }];
  }

  async execute({ signal }: ToolContext): Promise<{ message: string; files: number }> {
    const statuses = new Map((await this.git(['--name-status', '--no-renames', '-z'], signal)).map(([status = '', path = '']) => [path, status]));
    const changes = (await this.git(['--numstat', '--no-renames', '-z'], signal)).map(([counts = '']): Change => {
      const [added = '', removed = '', path = ''] = counts.split('\t');
      return { status: statuses.get(path) ?? 'M', path, added: Number(added) || 0, removed: Number(removed) || 0 };
    });
    if (changes.length === 0) throw new ToolFailure('no_change', 'Nothing is staged. Stage the changes first (git add).');
    return { message: draftMessage(changes, this.why), files: changes.length };
  }

  /** Records of `git diff --staged`; those of --name-status take two fields each. The repository's own settings run no program. */
  private async git(format: readonly string[], signal: AbortSignal): Promise<string[][]> {
    const argv = ['git', '-c', 'core.fsmonitor=false', 'diff', '--staged', '--no-ext-diff', '--no-textconv', ...format];
    const { reason, exitCode, stdout, stderr, error } = await this.processes.run({ argv, cwd: this.workspace.root, signal, maxOutputChars: 1_000_000 });
    if (reason !== 'exit' || exitCode !== 0) throw new ToolFailure('exit_status', `git diff failed: ${error ?? stderr.text.trim()}`);
    const fields = stdout.text.split('\0').filter((field) => field !== '');
    const width = format[0] === '--name-status' ? 2 : 1;
    return Array.from({ length: fields.length / width }, (_, index) => fields.slice(index * width, (index + 1) * width));
  }
}
