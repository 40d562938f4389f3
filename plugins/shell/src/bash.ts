/** The tool `bash`. */
import { Param, Tool, type Preview, type ToolContext, ToolFailure, Workspace } from '@haft/core';
import { IsInt, MaxLength, Min, MinLength } from 'class-validator';
import { BackgroundJobs } from './background-jobs.js';
import { type CommandReport, failureOf, reportOf, successText } from './command-report.js';
import { refuseInteractive } from './interactive.js';
import { Shell } from './shell.js';

const DESCRIPTION = `Run a command with bash and return its output and exit code.
Every call is a fresh shell that starts in the workspace root, or in cwd if given: cd, variables and functions do not last to the next call, so join what belongs together with &&.
Commands usually run in a sandbox: only the workspace can be written, /tmp is private to each call, and there may be no network.
There is no terminal and no input: commands that ask or open an editor fail; use their non-interactive form.
When the command exits, what it left running in the background is ended; for a server or watcher use background: true, then bash_output and bash_kill.
Long output is shown as head and tail.`;

interface StartedJob {
  job_id: string;
}

@Tool(DESCRIPTION, {
  name: 'bash', title: 'Run a command', tags: ['shell'], scopes: ['dangerous'], destructive: true,
  // A guard only: the command's own limit is timeout_ms.
  timeoutMs: 86_400_000,
  maxOutputChars: 45_000,
  examples: [{ command: 'git status --short' }, { command: 'npm test', timeout_ms: 300_000 }, { command: 'npm run dev', background: true }],
})
export class Bash {
  @Param('The command line, as bash reads it', { kind: 'command', access: 'write' }) @MinLength(1) @MaxLength(100_000)
  command!: string;

  @Param('Time limit in milliseconds, after which the command and all it started are killed; default 120000', { optional: true }) @IsInt() @Min(1)
  timeout_ms?: number;

  @Param('Folder to run in, relative to the workspace', { kind: 'path', access: 'read' })
  cwd: string = '.';

  @Param('Start it and return at once with a job id')
  background: boolean = false;

  constructor(private readonly shell: Shell, private readonly jobs: BackgroundJobs, private readonly workspace: Workspace) {}

  check(): string | undefined {
    const refusal = refuseInteractive(this.command);
    if (refusal !== undefined) throw new ToolFailure('interactive_command', refusal);
    const { maxTimeoutMs, maxJobs } = this.shell.options;
    if (this.timeout_ms !== undefined && this.timeout_ms > maxTimeoutMs) {
      return `timeout_ms must be at most ${maxTimeoutMs} here, received ${this.timeout_ms}; use background: true for what takes longer.`;
    }
    if (this.background && this.jobs.active >= maxJobs) return `${maxJobs} background jobs are running already; end one with bash_kill first.`;
    return undefined;
  }

  preview(): Preview {
    const { sandbox, options } = this.shell;
    const network = options.network.length === 0 ? 'no network' : `network only to ${options.network.join(', ')}`;
    const where = sandbox === undefined ? 'WITHOUT a sandbox, with all your rights' : `in the ${sandbox.name} sandbox: writes only in the workspace, ${network}`;
    return { title: this.background ? 'Start in the background' : 'Run a command', text: `${this.command}\n\nin ${this.cwd}, ${where}` };
  }

  async execute(context: ToolContext): Promise<CommandReport | StartedJob> {
    const cwd = await this.folder();
    if (this.background) return this.startJob(cwd);
    const timeoutMs = this.timeout_ms ?? this.shell.options.timeoutMs;
    const outcome = await this.shell.run({ command: this.command, cwd, timeoutMs, signal: context.signal, onOutput: (chunk) => { context.output(chunk); } });
    const report = reportOf(outcome, this.shell.sandbox?.name);
    if (outcome.reason !== 'exit' || outcome.exitCode !== 0) throw failureOf(outcome, report, { timeoutMs, hosts: this.shell.options.network });
    return report;
  }

  private async folder(): Promise<string> {
    const { kind } = await this.workspace.stat(this.cwd);
    if (kind !== 'directory') throw new ToolFailure('not_a_directory', `cwd ${JSON.stringify(this.cwd)} is not a folder.`);
    return (await this.workspace.resolve(this.cwd, 'read')).absolute;
  }

  private async startJob(cwd: string): Promise<StartedJob> {
    const timeoutMs = this.timeout_ms;
    const running = await this.shell.start({ command: this.command, cwd, ...(timeoutMs !== undefined && { timeoutMs }) });
    return { job_id: this.jobs.add(this.command, running).id };
  }

  toModel(result: CommandReport | StartedJob): string {
    if ('job_id' in result) return `Started as ${result.job_id}. Read it with bash_output {"job_id": "${result.job_id}"}, end it with bash_kill.`;
    return successText(result);
  }
}
