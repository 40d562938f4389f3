// The public surface of @haft/plugin-shell: named exports only.
export { BackgroundJobs } from './background-jobs.js';
export { BashKill, BashOutput } from './bash-jobs.js';
export { Bash } from './bash.js';
export type { CommandReport } from './command-report.js';
export { shell } from './plugin.js';
export { ShellOptions } from './shell-options.js';
export { Shell } from './shell.js';
