/** A refusal as HTTP: a status, a code and a sentence that says what to do. */
export type WebErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 500 | 503;

export class WebError extends Error {
  override readonly name = 'WebError';

  constructor(
    readonly status: WebErrorStatus,
    readonly code: string,
    message: string,
    readonly details?: unknown,
  ) {
    super(message);
  }

  toResponse(): Response {
    const body = { code: this.code, message: this.message, ...(this.details === undefined ? {} : { details: this.details }) };
    return Response.json(body, { status: this.status });
  }
}
