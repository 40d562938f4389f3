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
    const statuses = new Map((await this.git('--name-status', signal)).map(([status = '', path = '']) => [path, status]));
    const changes = (await this.git('--numstat', signal)).map(([added, removed, path = '']): Change => ({
      status: statuses.get(path) ?? 'M',
      path,
      added: Number(added) || 0,
      removed: Number(removed) || 0,
    }));
    if (changes.length === 0) throw new ToolFailure('no_change', 'Nothing is staged. Stage the changes first (git add).');
    return { message: draftMessage(changes, this.why), files: changes.length };
  }

  /** Lines of `git diff --staged`, their fields apart. The repository's own settings run no program. */
  private async git(format: string, signal: AbortSignal): Promise<string[][]> {
    const argv = ['git', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', 'diff', '--staged', '--no-renames', '--no-ext-diff', '--no-textconv', format];
    const { reason, exitCode, stdout, stderr, error } = await this.processes.run({ argv, cwd: this.workspace.root, signal, maxOutputChars: 1_000_000 });
    if (reason !== 'exit' || exitCode !== 0) throw new ToolFailure('exit_status', `git diff failed: ${error ?? stderr.text.trim()}`);
    return stdout.text.split('\n').filter((line) => line !== '').map((line) => line.split('\t'));
  }
}
