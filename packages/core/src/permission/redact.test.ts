// Redaction by value, by place and by shape, also where chunks split a secret.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { forms, givesAway, planted } from './testdata/planted-secrets.js';
import { createRedactor, redactionMark } from './redact.js';
import { createRedactionStream } from './redaction-stream.js';
import { encodingsOf } from './secret-encodings.js';
import { isSensitiveName, redactShapes } from './sensitive-text.js';

describe('redaction by value', () => {
  const redactor = createRedactor(planted);

  test.each(Object.keys(forms))('30 secrets %s', (form) => {
    expect(planted).toHaveLength(30);
    for (const secret of planted) {
      const text = `before ${forms[form]!(secret)} after`;
      const redacted = redactor.redact(text);
      expect(redacted).toContain(redactionMark);
      expect(redacted.startsWith('before ') && redacted.endsWith(' after')).toBe(true);
      expect(givesAway(redacted, secret)).toBe(false);
    }
  });

  test('base64 is found at every alignment, and what is left decodes to nothing of it', () => {
    for (const secret of planted) {
      for (const lead of ['', 'a', 'ab', 'abc', 'user:']) {
        const redacted = redactor.redact(Buffer.from(`${lead}${secret}tail`).toString('base64'));
        expect(redacted).toContain(redactionMark);
        const left = redacted.split(redactionMark).map((part) => Buffer.from(part, 'base64').toString('utf8')).join('|');
        expect(left.includes(secret.slice(2, -2))).toBe(false);
      }
    }
  });

  test('no form of any secret is left in any text that held it', () => {
    const piece = fc.oneof(fc.constantFrom(...planted).chain((secret) => fc.constantFrom(...encodingsOf(secret))), fc.string({ maxLength: 12 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const redacted = redactor.redact(pieces.join(''));
        expect(redactor.find(redacted)).toEqual([]);
        expect(planted.filter((secret) => redacted.includes(secret))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('secrets that overlap are redacted as one', () => {
    expect(createRedactor(['abcdefgh', 'fghijklm']).redact('x abcdefghijklm y')).toBe(`x ${redactionMark} y`);
  });

  test('of a key file each line is redacted, also where a search shows it alone', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQDZ\n-----END PRIVATE KEY-----\n';
    const redactor = createRedactor([pem]);
    expect(redactor.redact(`key.pem:2:MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nkey.pem:1:-----BEGIN PRIVATE KEY-----`)).toBe(`key.pem:2:${redactionMark}\nkey.pem:1:-----BEGIN PRIVATE KEY-----`);
    expect(redactor.redact(pem)).toBe(redactionMark);
    expect(redactor.redact(pem.trim())).toBe(redactionMark);
  });

  test('a long secret costs little to know and little to look for', () => {
    const long = Array.from({ length: 20_000 }, (_, index) => String.fromCharCode(33 + ((index * 7919) % 90))).join('');
    const redactor = createRedactor([long]);
    expect(redactor.redact(`a ${long} b ${Buffer.from(long).toString('hex')}`)).toBe(`a ${redactionMark} b ${redactionMark}`);
    const stream = createRedactionStream(redactor);
    let out = '';
    for (let at = 0; at < long.length; at += 100) out += stream.write(long.slice(at, at + 100));
    expect(out + stream.end()).toBe(redactionMark);
  });

  test('short values and texts without secrets are left alone', () => {
    expect(createRedactor(['', 'a', 'true', '12345']).redact('a true 12345')).toBe('a true 12345');
    expect(createRedactor([]).redact('anything')).toBe('anything');
  });
});

describe('redaction across chunks', () => {
  test('whatever the cuts, the stream says the same as the whole text', () => {
    const redactor = createRedactor(planted);
    const piece = fc.oneof(fc.constantFrom(...planted).chain((secret) => fc.constantFrom(...encodingsOf(secret))), fc.string({ maxLength: 8 }), fc.constantFrom(...planted).map((secret) => secret.slice(0, -1)));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (pieces, sizes) => {
        const text = pieces.join('');
        const stream = createRedactionStream(redactor);
        let out = '';
        for (let at = 0; at < text.length; ) {
          const size = Number(sizes.next().value);
          out += stream.write(text.slice(at, at + size));
          at += size;
        }
        expect(out + stream.end()).toBe(redactor.redact(text));
      }),
      { numRuns: 1000 },
    );
  });

  test('only what may be the beginning of a secret is held back', () => {
    const stream = createRedactionStream(createRedactor(['hunter2-hunter2']));
    expect(stream.write('the word is ')).toBe('the word is ');
    expect(stream.write('hunt')).toBe('');
    expect(stream.write('ing season')).toBe('hunting season');
    expect(stream.write(' hunter2-hunt')).toBe(' ');
    expect(stream.end()).toBe('hunter2-hunt');
  });
});

describe('secrets known by their place', () => {
  test.each([
    ['http://u:p4ss@127.0.0.1/x', 'p4ss'],
    ['https://x.org/?a=1&access_token=abc123secret#f', 'abc123secret'],
    ['{"api_key": "k-55555555555"}', 'k-55555555555'],
    ["{'clientSecret': 'k-55555555555'}", 'k-55555555555'],
    ['{\\"password\\":\\"k-55555555555\\"}', 'k-55555555555'],
    ['Authorization: Bearer tok_9f8e7d6c5b4a3f2e', 'tok_9f8e7d6c5b4a3f2e'],
    ["curl -H 'authorization: basic dXNlcjpwYXNz'", 'dXNlcjpwYXNz'],
    ['DB_PASSWORD=hunter22 npm start', 'hunter22'],
    ['mysql --password hunter22 -u root', 'hunter22'],
    ['password: hunter22', 'hunter22'],
    ['key sk-abcdefghijklmnopqrstuvwx here', 'sk-abcdefghijklmnopqrstuvwx'],
    ['token ghp_0123456789abcdefghijklmnopqrst', 'ghp_0123456789abcdefghijklmnopqrst'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----', 'MIIEow'],
  ])('%j', (text, secret) => {
    expect(redactShapes(text)).not.toContain(secret);
    expect(redactShapes(text)).toContain(redactionMark);
  });

  test.each(['api_key', 'apiKey', 'API-KEY', 'password', 'DB_PASSWORD', 'accessToken', 'Authorization', 'set-cookie', 'client_secret', 'privateKey', 'x-api-key'])('%s is a telling name', (name) => {
    expect(isSensitiveName(name)).toBe(true);
  });

  test.each(['tokens', 'max_tokens', 'author', 'keyboard', 'path', 'secretary', 'passage', 'token_count', 'monkey'])('%s is not', (name) => {
    expect(isSensitiveName(name)).toBe(false);
  });

  test.each(['a:', 'token', 'api_', 'x-', 'http://', '-----BEGIN PRIVATE KEY-----', 'password=\\', '"\\', 'eyJ', 'Bearer '])('%s, repeated by an attacker, does not hang it', (part) => {
    const started = performance.now();
    redactShapes(part.repeat(100_000 / part.length));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
