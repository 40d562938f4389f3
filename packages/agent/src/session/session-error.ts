/** A coded failure of a stored session, for the person at the command line: what, where, remedy. */
export type SessionErrorCode = 'invalid_session_id' | 'session_not_found' | 'session_locked' | 'session_exists' | 'session_corrupt' | 'session_unreadable' | 'session_unwritable';

export class SessionError extends Error {
  override readonly name = 'SessionError';

  constructor(
    readonly code: SessionErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
