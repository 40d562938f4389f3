/** The background jobs of one session: started by bash, read by bash_output, ended by bash_kill, and never older than their session. */
import { ToolFailure } from '@haft/core';
import type { RunOutcome, RunningProcess } from '@haft/process';

export interface Job {
  id: string;
  command: string;
  running: RunningProcess;
  /** Set at its end. */
  outcome?: RunOutcome;
}

/** Ended jobs that can still be read. */
const KEPT_ENDED = 32;

export class BackgroundJobs {
  private readonly jobs = new Map<string, Job>();
  private count = 0;

  /** How many still run. */
  get active(): number {
    return [...this.jobs.values()].filter((job) => job.outcome === undefined).length;
  }

  add(command: string, running: RunningProcess): Job {
    this.count += 1;
    const job: Job = { id: `job_${this.count}`, command, running };
    this.jobs.set(job.id, job);
    void running.outcome.then((outcome) => { job.outcome = outcome; });
    this.forgetOldest();
    return job;
  }

  /** @throws ToolFailure `unknown_job`, which lists the ids that there are. */
  get(id: string): Job {
    const job = this.jobs.get(id);
    if (job !== undefined) return job;
    const ids = [...this.jobs.keys()];
    throw new ToolFailure('unknown_job', `There is no background job ${JSON.stringify(id)}. ${ids.length === 0 ? 'None was started in this session.' : `There are: ${ids.join(', ')}.`}`);
  }

  /** Ends every job; the container calls it with the session's end. */
  async dispose(): Promise<void> {
    const running = [...this.jobs.values()].map((job) => job.running);
    for (const job of running) job.kill();
    await Promise.all(running.map((job) => job.outcome));
  }

  private forgetOldest(): void {
    const ended = [...this.jobs.values()].filter((job) => job.outcome !== undefined);
    for (const job of ended.slice(0, Math.max(0, ended.length - KEPT_ENDED))) this.jobs.delete(job.id);
  }
}
