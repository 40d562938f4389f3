/** What `shell({ … })` in agent.config.ts can be told. */
import { Param } from '@haft/core';
import { IsInt, Max, Min } from 'class-validator';

export class ShellOptions {
  @Param('required: without a sandbox that passes its self-test the tools are withheld; preferred: without one every call asks; off: none, and only with HAFT_SANDBOX=off in the environment of Haft', { enum: ['required', 'preferred', 'off'] })
  sandbox: 'required' | 'preferred' | 'off' = 'required';

  @Param('Time limit of a command in milliseconds, where the call gives none') @IsInt() @Min(1) @Max(86_400_000)
  timeoutMs: number = 120_000;

  @Param('Longest time limit that a call may give, in milliseconds') @IsInt() @Min(1) @Max(86_400_000)
  maxTimeoutMs: number = 600_000;

  @Param('Background jobs that a session may run at once') @IsInt() @Min(0) @Max(100)
  maxJobs: number = 8;

  @Param('More folders that commands may read, absolute; e.g. a toolchain outside /usr', { type: () => [String] })
  readable: string[] = [];

  @Param('More folders that commands may write, absolute', { type: () => [String] })
  writable: string[] = [];

  @Param('Hosts that commands may reach, over HTTP(S) through a proxy: example.org, *.example.org, example.org:8443. Empty: no network', { type: () => [String] })
  network: string[] = [];
}
