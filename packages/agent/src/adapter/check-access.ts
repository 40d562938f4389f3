/** Refuses a key or an address that cannot work, before an SDK says it in its own words. */
import { ModelError, type ModelErrorCode } from '../model-adapter.js';

export interface Access {
  provider: string;
  /** The key or token; undefined or blank when there is none. */
  key: string | undefined;
  /** Where a missing key could be set, e.g. `OPENAI_API_KEY`. */
  keyNames: readonly string[];
  /** Undefined where the SDK's own is used. */
  baseURL: string | undefined;
}

/** Throws a ModelError that says what is wrong and how to mend it; never shows the key. */
export function checkAccess({ provider, key, keyNames, baseURL }: Access): void {
  const refuse = (code: ModelErrorCode, message: string): never => {
    throw new ModelError(code, `${provider}: ${message}`, { provider, retryable: false });
  };
  if (key === undefined || key === '') refuse('no_credentials', `no API key. Set ${keyNames.join(' or ')}, or give apiKey.`);
  else if (!/^[\x21-\x7e]+$/.test(key)) refuse('invalid_credentials', 'the API key holds a space or a character that no key has. Copy it again.');
  if (baseURL !== undefined && !isHttp(baseURL)) refuse('invalid_request', `the base URL ${JSON.stringify(baseURL)} is no http:// or https:// address.`);
}

function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}
