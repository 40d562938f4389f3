/** The tools `bash_output` and `bash_kill`, for what `bash` started in the background. */
import { Param, Tool, type ToolContext } from '@haft/core';
import { IsInt, Max, Min, MinLength } from 'class-validator';
import { BackgroundJobs, type Job } from './background-jobs.js';
import { streamsText } from './command-report.js';

interface JobReport {
  job_id: string;
  state: 'running' | 'ended';
  exit_code: number | null;
  signal: string | null;
  /** What came since the last look. */
  output: string;
}

@Tool('Read what a background job of bash printed since you last read it, and whether it still runs.', {
  name: 'bash_output', title: 'Read a background job', tags: ['shell'], scopes: [], idempotent: false, maxOutputChars: 45_000, timeoutMs: 90_000,
  examples: [{ job_id: 'job_1' }, { job_id: 'job_1', wait_ms: 5_000 }],
})
export class BashOutput {
  @Param('The id that bash returned') @MinLength(1)
  job_id!: string;

  @Param('Wait so many milliseconds for its end before reading') @IsInt() @Min(0) @Max(60_000)
  wait_ms: number = 0;

  constructor(private readonly jobs: BackgroundJobs) {}

  async execute(context: ToolContext): Promise<JobReport> {
    const job = this.jobs.get(this.job_id);
    await ended(job, this.wait_ms, context.signal);
    return reportJob(job);
  }

  toModel(report: JobReport): string {
    return reportText(report);
  }
}

@Tool('End a background job of bash with everything it started, and return what it printed last.', {
  name: 'bash_kill', title: 'End a background job', tags: ['shell'], scopes: [], idempotent: true, destructive: true, maxOutputChars: 45_000,
  examples: [{ job_id: 'job_1' }],
})
export class BashKill {
  @Param('The id that bash returned') @MinLength(1)
  job_id!: string;

  constructor(private readonly jobs: BackgroundJobs) {}

  async execute(): Promise<JobReport> {
    const job = this.jobs.get(this.job_id);
    job.running.kill();
    await job.running.outcome;
    return reportJob(job);
  }

  toModel(report: JobReport): string {
    return reportText(report);
  }
}

async function ended(job: Job, waitMs: number, signal: AbortSignal): Promise<void> {
  if (waitMs === 0 || signal.aborted) return;
  let stop = (): void => undefined;
  const waited = new Promise<void>((resolve) => { stop = resolve; });
  const timer = setTimeout(stop, waitMs);
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([waited, job.running.outcome]);
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
}

function reportJob(job: Job): JobReport {
  const { outcome } = job;
  return {
    job_id: job.id,
    state: outcome === undefined ? 'running' : 'ended',
    exit_code: outcome?.exitCode ?? null,
    signal: outcome?.signal ?? null,
    output: streamsText(job.running.takeOutput()),
  };
}

function reportText(report: JobReport): string {
  const end = report.signal === null ? `ended with exit code ${String(report.exit_code)}` : `ended by signal ${report.signal}`;
  return `${report.job_id} ${report.state === 'running' ? 'is running' : end}.\n${report.output === '' ? '(no new output)' : report.output}`;
}
