// Errors of providers, as SDKs throw them, into coded ones: the code, whether to try again, when, and what must not be said.
import { describe, expect, test } from '@jest/globals';
import { checkAccess } from './check-access.js';
import { AnsweredError, modelFailure } from './model-failure.js';
import { retryAfterMs, waitInMessage } from './retry-after.js';

const now = Date.parse('2026-01-01T00:00:00Z');
const context = { provider: 'p', model: 'm-1', secrets: ['topsecretkey'], signal: new AbortController().signal, now: () => now };
const thrown = (status: number, error: object, headers: Record<string, string> = {}) => ({ status, error, headers: new Headers(headers) });

describe('codes', () => {
  test.each<[number, object, string, boolean]>([
    [400, { message: 'bad field' }, 'invalid_request', false],
    [400, { code: 'context_length_exceeded', message: 'x' }, 'context_too_long', false],
    [400, { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' } }, 'context_too_long', false],
    [400, { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } }, 'quota_exceeded', false],
    [401, { message: 'x' }, 'invalid_credentials', false],
    [402, { message: 'Payment required' }, 'quota_exceeded', false],
    [403, { message: 'x' }, 'invalid_credentials', false],
    [404, { message: 'x' }, 'model_not_found', false],
    [408, { message: 'x' }, 'timeout', true],
    [409, { message: 'x' }, 'server_error', true],
    [413, { message: 'x' }, 'too_large', false],
    [422, { message: 'x' }, 'invalid_request', false],
    [429, { message: 'slow down' }, 'rate_limited', true],
    [429, { type: 'insufficient_quota', message: 'You exceeded your current quota' }, 'quota_exceeded', false],
    [429, { message: 'You have reached your monthly limit' }, 'quota_exceeded', false],
    [429, { message: 'Rate limit reached, limit 3 / min. Please try again in 20s. Visit account/billing to add a payment method.' }, 'rate_limited', true],
    [429, { message: 'You exceeded your current quota. Please retry in 38.5s.' }, 'rate_limited', true],
    [500, {}, 'server_error', true],
    [501, {}, 'server_error', false],
    [503, {}, 'overloaded', true],
    [504, {}, 'timeout', true],
    [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded', true],
  ])('%i %j is %s', (status, body, code, retryable) => {
    expect(modelFailure(thrown(status, body), context)).toMatchObject({ code, retryable, status, provider: 'p' });
  });

  test('an answer of another build is told in words of its own', () => {
    let thrownByReading: unknown;
    try {
      void (JSON.parse('null') as { id: string }).id;
    } catch (error) {
      thrownByReading = error;
    }
    expect(modelFailure(thrownByReading, context)).toMatchObject({ code: 'protocol', retryable: true, message: 'p: the answer is not built as its format says.' });
  });

  test.each<[object, string, boolean]>([
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded', true],
    [{ type: 'api_error', message: 'Internal' }, 'server_error', true],
    [{ type: 'rate_limit_error', message: 'x' }, 'rate_limited', true],
    [{ type: 'invalid_request_error', message: 'x' }, 'invalid_request', false],
    [{ code: 502, message: 'Provider returned error' }, 'server_error', true],
    [{ message: 'something' }, 'server_error', true],
  ])('inside a 200: %j is %s', (error, code, retryable) => {
    expect(modelFailure(new AnsweredError(error), context)).toMatchObject({ code, retryable });
  });

  test.each([
    ['tools.1.custom.input_schema: input_schema does not support oneOf', 'tools.1 (second).custom.input_schema'],
    ["Invalid schema at 'tools[1].function.parameters'", 'tools[1] (second).function.parameters'],
    ['* GenerateContentRequest.tools[0].function_declarations[2].name: invalid', 'function_declarations[2] (third).name'],
    ['tools.7.name: nobody knows', 'tools.7.name'],
    ['tools.12: too many', 'tools.12: too many'],
  ])('SCH-13: %s: the tool that is blamed by its place is named', (message, said) => {
    const tools = [{ name: 'first' }, { name: 'second' }, { name: 'third' }];
    const error = modelFailure(thrown(400, { type: 'error', error: { type: 'invalid_request_error', message } }), { ...context, tools });
    expect(error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(said) });
  });

  test('a server that says not to try again is believed', () => {
    expect(modelFailure(thrown(500, {}, { 'x-should-retry': 'false' }), context)).toMatchObject({ code: 'server_error', retryable: false });
  });

  test('below HTTP: the cause in words, to be tried again; after an abort: cancelled', () => {
    const failed = Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) });
    expect(modelFailure(failed, context)).toMatchObject({ code: 'network', retryable: true, message: expect.stringContaining('refused') });
    expect(modelFailure(new TypeError('terminated'), context)).toMatchObject({ code: 'network', retryable: true });
    expect(modelFailure(new SyntaxError('Unexpected token'), context)).toMatchObject({ code: 'protocol', retryable: true });
    expect(modelFailure(new Error('odd'), context)).toMatchObject({ code: 'protocol', retryable: false });
    expect(modelFailure(failed, { ...context, signal: AbortSignal.abort() })).toMatchObject({ code: 'cancelled', retryable: false });
  });
});

describe('messages', () => {
  test('keys are taken out, HTML and long text are not shown', () => {
    const said = (message: string) => modelFailure(thrown(400, { message }), context).message;
    expect(said('bad key topsecretkey here')).toBe('p (HTTP 400): bad key [key] here');
    expect(said('Incorrect API key provided: sk-proj-abcdefghijklmnop. See')).not.toContain('abcdefgh');
    expect(said('sent Authorization: Bearer abcdef0123456789')).toContain('Bearer [key]');
    expect(said('<html><body>502</body></html>')).toContain('HTML page');
    expect(said('x'.repeat(5000)).length).toBeLessThan(600);
    expect(said('two\nlines')).toContain('two lines');
  });

  test('a missing model is named, the nearest known one suggested', () => {
    const wrong = { ...context, model: 'claude-sonet-4-5', knownModels: ['claude-opus-4-5', 'claude-sonnet-4-5'] };
    expect(modelFailure(thrown(404, { message: 'model: claude-sonet-4-5' }), wrong).message).toContain('Did you mean "claude-sonnet-4-5"?');
  });

  test('a missing model is named, and so is the request', () => {
    expect(modelFailure(thrown(404, { message: 'no' }, { 'x-request-id': 'req_7' }), context)).toMatchObject({ requestId: 'req_7', message: expect.stringContaining('"m-1"') });
  });
});

describe('when to come back', () => {
  test.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after-ms': '120', 'retry-after': '9' }, 120],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:30 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m30s' }, 90_000],
    [{ 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '1m30s' }, undefined],
    [{ 'x-ratelimit-reset-requests': '20ms' }, 20],
    [{ 'anthropic-ratelimit-requests-remaining': '0', 'anthropic-ratelimit-requests-reset': '2026-01-01T00:01:00Z' }, 60_000],
    [{ 'x-ratelimit-reset': String(now + 5000) }, 5000],
    [{ 'x-ratelimit-reset': String(now / 1000 + 5) }, 5000],
  ])('%j', (headers, wait) => {
    expect(retryAfterMs(new Headers(headers), now)).toBe(wait);
  });

  test('from the words of the message, when no header says it', () => {
    expect(waitInMessage('Please try again in 1m20s.')).toBe(80_000);
    expect(waitInMessage('Please retry in 38.5s')).toBe(38_500);
    expect(waitInMessage('Please try again later')).toBeUndefined();
    expect(modelFailure(thrown(429, { message: 'Please try again in 6s.' }), context)).toMatchObject({ retryAfterMs: 6000 });
  });
});

describe('before anything is asked', () => {
  const access = { provider: 'p', key: 'sk-good', keyNames: ['P_API_KEY', 'KEY'], baseURL: 'https://example.org/v1' };

  test.each([
    [{ key: undefined }, 'no_credentials', /Set P_API_KEY or KEY/],
    [{ key: '' }, 'no_credentials', /Set P_API_KEY/],
    [{ key: 'sk-ключ' }, 'invalid_credentials', /Copy it again/],
    [{ key: 'two words' }, 'invalid_credentials', /Copy it again/],
    [{ baseURL: 'example.org' }, 'invalid_request', /"example\.org" is no http/],
    [{ baseURL: 'ftp://example.org' }, 'invalid_request', /no http/],
  ])('%j', (part, code, message) => {
    const refused = (): void => checkAccess({ ...access, ...part });
    expect(refused).toThrow(expect.objectContaining({ name: 'ModelError', code, retryable: false, message: expect.stringMatching(message) }));
    if ('key' in part && part.key) expect(refused).not.toThrow(part.key);
  });

  test('a sound key and address pass', () => {
    expect(() => checkAccess(access)).not.toThrow();
    expect(() => checkAccess({ ...access, baseURL: undefined })).not.toThrow();
  });
});
