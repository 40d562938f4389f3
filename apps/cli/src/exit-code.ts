// The exit statuses that programs rely on, and the error that carries one.

/** Exit status of the command, by meaning. */
export const exitCode = {
  done: 0,
  /** The run failed, or the tool's result was not a success. */
  failed: 1,
  /** Usage or configuration. */
  usage: 2,
  noCredentials: 3,
  /** The provider failed, also after retries. */
  provider: 4,
  /** Something had to be asked and nobody could be. */
  unanswered: 5,
  /** A limit of turns, time or cost. */
  limit: 6,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Ends the command with a plain message: what is wrong and where; `remedy` says how to mend it. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    readonly exitCode: ExitCode = 2,
    readonly remedy?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
