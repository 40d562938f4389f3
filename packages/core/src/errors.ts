/**
 * Two families of errors: `SetupError` for the developer at start, `ToolFailure` for the model at a call; and the one
 * table of result codes, from which docs/errors.md is made.
 */
import type { Issue } from './tool/tool.js';

export interface ErrorCode {
  /** One sentence: when it happens. */
  readonly when: string;
  /** What the model or the user should do. */
  readonly remedy: string;
  /** Whether the same call can succeed later unchanged. */
  readonly retryable: boolean;
}

const code = (when: string, remedy: string, retryable = false): ErrorCode => ({ when, remedy, retryable });

export const errorCodes = {
  unknown_tool: code('No registered tool has this name.', 'Call one of the names listed in the message.'),
  invalid_arguments: code('The arguments are not JSON, not an object, or not what the schema says.', 'Correct the fields that `details` lists and call again.'),
  rule_violated: code('A class-validator rule or the tool\'s own check() refused the arguments.', 'Change the arguments as the message says.'),
  permission_denied: code('A rule or a default denies this call.', 'Do not repeat it; use another way, or ask the user to change the rules.'),
  approval_declined: code('The user was asked and said no.', 'Read the reason, if one is given, and do something else.'),
  approval_unavailable: code('The call had to be asked and nobody could be.', 'Ask the user to allow it by a rule, or to run with --yes.'),
  rate_limited: code('The tool was called too often.', 'Wait for the time that the message gives.', true),
  budget_exceeded: code('The session\'s budget of calls, time or cost is used up.', 'Stop calling tools and answer with what is known.'),
  timeout: code('The tool did not finish in its time.', 'Ask for less at once, or raise the time-out.', true),
  cancelled: code('The user or the program stopped the call.', 'Do not repeat it unless asked.'),
  interrupted: code('The call was started and its end is not known (the process died).', 'Look at the state first; it may have happened.'),
  execution_failed: code('The tool failed unexpectedly.', 'Try another way; the details are in the log.', true),
  circuit_open: code('The tool failed several times in a row and is paused.', 'Wait for the time that the message gives, or use another tool.', true),
  result_too_large: code('The tool did its work and returned more than is carried (250,000 values or 16 Mi characters), so that only the beginning was kept.', 'Ask for less at once.'),
  deadlock: code('The call would wait for ever for what its own caller keeps others from giving back.', 'Call it again later, or not from inside another tool.', true),
  repeated_call: code('The same call with the same arguments was made several times without a change.', 'Change the arguments or use what it returned before.'),
  audit_unavailable: code('The audit log cannot be written, so calls that change something are refused.', 'Mend the audit log (see the message).'),
  path_outside_workspace: code('The path leads outside the workspace and the granted roots.', 'Use a path inside the workspace.'),
  path_denied: code('The path is protected by a deny pattern.', 'Use another file.'),
  invalid_path: code('The path is empty, too long, or holds a NUL character.', 'Give a proper path.'),
  not_found: code('There is no such file or folder.', 'Check the name with list_dir or glob.'),
  not_a_file: code('The path is not a regular file.', 'Use list_dir for a folder; devices, sockets and FIFOs are not read.'),
  not_a_directory: code('The path is not a folder.', 'Use read_file for a file.'),
  no_permission: code('The operating system does not let this user do it.', 'Use another file, or ask the user to change its mode.'),
  binary_file: code('The file is binary.', 'Use a tool made for that format.'),
  unknown_encoding: code('The text\'s encoding is not known with certainty.', 'Give `encoding`.'),
  unencodable_text: code('The new text has characters that the file\'s encoding lacks.', 'Use other characters, or ask the user whether the file may become UTF-8.'),
  file_too_large: code('The file or content is over the size limit.', 'Work on a part of it.'),
  out_of_range: code('The asked part lies outside the file.', 'Use the range that the message gives.'),
  no_match: code('The text to replace does not occur.', 'Copy it exactly from the file; the message shows the nearest places.'),
  ambiguous_match: code('The text to replace occurs more than once.', 'Add context, or set replace_all.'),
  overlapping_edits: code('Two edits of a batch touch the same text.', 'Merge them into one.'),
  no_change: code('The edit would leave the file as it is.', 'Nothing is to be done.'),
  stale_file: code('The file changed since it was read.', 'Read it again, then write.'),
  already_exists: code('Something is there already.', 'Read it first, or choose another name.'),
  write_failed: code('The file could not be written; the old content is whole.', 'Read the cause in the message.', true),
  invalid_pattern: code('The pattern cannot be understood.', 'Correct it as the message says.'),
  exit_status: code('The command ended with a non-zero status.', 'Read its output.'),
  killed_by_signal: code('The command was ended by a signal.', 'Read its output.'),
  spawn_failed: code('The program could not be started.', 'Read the cause in the message.'),
  interactive_command: code('The command wants a terminal or input, and has none.', 'Use its non-interactive form.'),
  unknown_job: code('No background job has this id.', 'Use an id that bash returned.'),
  template_error: code('A template names a step or path that does not exist.', 'Correct the template.'),
  no_route: code('No condition of a router holds, and it has no default.', 'Add a default, or correct the conditions.'),
  step_skipped: code('An earlier step failed, so this one was not run.', 'Mend the earlier step.'),
} as const satisfies Record<string, ErrorCode>;

export type KnownErrorCode = keyof typeof errorCodes;

/** Whether a code's failure can go away by itself; codes of other plugins count as not. */
export function isRetryableCode(value: string): boolean {
  return Object.hasOwn(errorCodes, value) && errorCodes[value as KnownErrorCode].retryable;
}

/** For the developer, at start: the message names class, field, plugin and remedy. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}

export interface ToolFailureOptions {
  details?: Issue[];
  retryable?: boolean;
  /** Which retry class it belongs to; absent: not retried unless the tool retries on `error`. */
  kind?: 'timeout' | 'network' | 'error';
  /** Milliseconds that a remote side asked to wait. */
  retryAfterMs?: number;
  data?: unknown;
  cause?: unknown;
}

/** For the model, at a call: coded, and says whether trying again can help. Thrown by tools; turned into a result by the dispatcher. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: string;
  readonly details?: Issue[];
  readonly retryable: boolean;
  readonly kind?: 'timeout' | 'network' | 'error';
  readonly retryAfterMs?: number;
  /** Structured data that the application may read beside the message. */
  readonly data?: unknown;

  /** `code` is one of `errorCodes` or the plugin's own in the same style (`snake_case`). */
  constructor(code: KnownErrorCode | (string & {}), message: string, options: ToolFailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? isRetryableCode(code);
    if (options.details) this.details = options.details;
    if (options.kind) this.kind = options.kind;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if ('data' in options) this.data = options.data;
  }
}

/** By name as well as by class: a plugin may carry its own copy of core. */
export function isToolFailure(thrown: unknown): thrown is ToolFailure {
  if (thrown instanceof ToolFailure) return true;
  return thrown instanceof Error && thrown.name === 'ToolFailure' && typeof (thrown as { code?: unknown }).code === 'string';
}
