// The public surface of @haft/process: named exports only.
export { ProcessRunner } from './process-runner.js';
export type { BoundedText, EndReason, OutputStreamName, RunOptions, RunOutcome, RunningProcess } from './run-options.js';
export type { Sandbox, SandboxProbe, WrapOptions, WrappedCommand } from './sandbox/sandbox.js';
export { type BubblewrapOptions, type SandboxLimits } from './sandbox/bubblewrap-options.js';
export { createBubblewrapSandbox } from './sandbox/bubblewrap.js';
export { createSandbox } from './sandbox/choose-sandbox.js';
export { runOnTerminal, type TerminalProgramEnd } from './run-on-terminal.js';
