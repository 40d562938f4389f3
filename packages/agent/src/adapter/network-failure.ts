/** Failures below HTTP, in words: refused, unknown host, certificate, broken connection. */
import { ModelError } from '../model-adapter.js';

const texts: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused. Is the server running, and the base URL right?',
  ENOTFOUND: 'the host name is not known. Is the base URL right, and the network up?',
  EAI_AGAIN: 'the host name could not be looked up. Is the network up?',
  ECONNRESET: 'the connection was reset.',
  EPIPE: 'the connection was reset.',
  UND_ERR_SOCKET: 'the connection broke.',
  ETIMEDOUT: 'the host did not answer.',
  UND_ERR_CONNECT_TIMEOUT: 'the host did not answer.',
  EHOSTUNREACH: 'the host cannot be reached.',
  ENETUNREACH: 'the network cannot be reached.',
  EPROTO: 'no secure connection could be made (TLS).',
  Z_DATA_ERROR: 'the answer\'s compression is broken.',
  Z_BUF_ERROR: 'the answer\'s compression is broken.',
};

/** A ModelError `network`, to be tried again, from whatever fetch threw; passes a ModelError on. */
export function networkFailure(error: unknown, provider: string): ModelError {
  if (error instanceof ModelError) return error;
  const code = codeOf(error);
  const text = texts[code] ?? (/CERT|TLS|SSL|SIGNATURE/.test(code) ? `the server's certificate is not accepted (${code}).` : `the connection failed${code === '' ? '' : ` (${code})`}.`);
  return new ModelError('network', `${provider}: ${text}`, { provider, retryable: true, cause: error });
}

/** Whether an error looks like one of the network, wherever it was thrown: undici says only "terminated" or "fetch failed". */
export function isNetworkError(error: unknown): boolean {
  return codeOf(error) !== '' || /terminated|fetch failed|other side closed|premature close/i.test(String(error));
}

function codeOf(error: unknown): string {
  for (let at: unknown = error, depth = 0; typeof at === 'object' && at !== null && depth < 5; depth += 1) {
    const { code, cause, errors } = at as { code?: unknown; cause?: unknown; errors?: unknown[] };
    if (typeof code === 'string') return code;
    at = cause ?? errors?.[0];
  }
  return '';
}
