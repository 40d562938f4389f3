// Rule texts: what they mean, and which are refused with the column.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SetupError } from '../errors.js';
import { formatArgv, matchArgv, parseArgvPattern } from './argv-pattern.js';
import { matchOrigin, parseOriginPattern } from './origin-pattern.js';
import { compilePathPattern, escapePath } from './path-pattern.js';
import { parseRule } from './rule.js';

describe('parseRule', () => {
  test.each([
    ['read_file', undefined],
    ['mcp__*', undefined],
    ['*', undefined],
    ['bash(git log *)', 'git log *'],
    ["bash(echo '(a)' b)", "echo '(a)' b"],
    ['write_file(src/**)', 'src/**'],
    ['scope:write', undefined],
    ['scope:network(host:*.example.org)', 'host:*.example.org'],
    ['  read_file  ', undefined],
  ])('%s', (text, pattern) => {
    const rule = parseRule(text);
    expect(rule.text).toBe(text.trim());
    expect(rule.pattern?.text).toBe(pattern);
  });

  test.each([
    ['', 1, 'empty'],
    ['bash(', 6, '")" is missing'],
    ['bash()', 6, 'pattern is empty'],
    ['(src/**)', 1, 'tool name is expected'],
    ['bash(ls) x', 9, 'nothing may follow'],
    ['read file', 5, 'a pattern goes in parentheses'],
    ['scope:everything', 7, 'read, write, network, dangerous'],
    ['fetch(host:)', 7, 'host name'],
    ['read_file(~/x)', 11, 'not expanded'],
    ['bash(ls\u202e)', 8, 'invisible'],
    ['bash(a\nb)', 7, 'control'],
  ])('%j names column and remedy', (text, column, remedy) => {
    expect(() => parseRule(text)).toThrow(SetupError);
    expect(() => parseRule(text)).toThrow(`column ${column}: `);
    expect(() => parseRule(text)).toThrow(remedy);
  });
});

test('any text is a rule, or is refused with its column', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.array(fc.constantFrom('bash', 'scope:', 'write', '(', ')', '*', '**', '/', "'", '"', '\\', '{', ',', '}', '[', ']', 'host:', '://', ':', ' ', '..'), { maxLength: 8 }).map((parts) => parts.join('')));
  fc.assert(
    fc.property(text, (given) => {
      try {
        const rule = parseRule(given);
        expect(parseRule(rule.text)).toMatchObject({ text: rule.text });
        for (const path of ['a', '.', '/a/b', 'a/../b']) expect(typeof (rule.pattern?.path?.(path) ?? true)).toBe('boolean');
      } catch (error) {
        expect(error).toBeInstanceOf(SetupError);
        expect((error as Error).message).toMatch(/column \d+: /);
      }
    }),
    { numRuns: 2000 },
  );
});

describe('path patterns', () => {
  test.each([
    ['src/**', ['src', 'src/a', 'src/a/b.ts', 'src/.x/y'], ['srcs/a', 'a/src/b', '.', '/src/a']],
    ['**/.env*', ['.env', 'a/b/.env.local'], ['a/b.env', 'env']],
    ['*.ts', ['a.ts', '.ts'], ['a/b.ts', 'a.tsx']],
    ['src/**/test/*.ts', ['src/test/a.ts', 'src/a/b/test/c.ts'], ['src/test/a/b.ts']],
    ['{src,lib}/*.{ts,js}', ['src/a.ts', 'lib/b.js'], ['src/a.md', 'bin/a.ts']],
    ['file[0-9].txt', ['file1.txt'], ['filea.txt', 'file10.txt']],
    ['file[!0-9]', ['filea'], ['file1']],
    ['a\\*b', ['a*b'], ['axb']],
    ['./docs/', ['docs/a', 'docs'], ['doc']],
    ['/etc/**', ['/etc/passwd'], ['etc/passwd']],
    ['**', ['.', 'a', 'a/b', '/a'], []],
    ['.', ['.'], ['a', '..']],
  ])('%s', (pattern, yes, no) => {
    const matches = compilePathPattern(pattern);
    expect(yes.filter((path) => !matches?.(path))).toEqual([]);
    expect(no.filter((path) => matches?.(path))).toEqual([]);
  });

  test('a pattern with too many choices matches nothing', () => {
    expect(compilePathPattern('{a,b}'.repeat(11))).toBeUndefined();
  });

  test('a hostile pattern does not blow up', () => {
    const matches = compilePathPattern(`${'*a'.repeat(200)}/${'**/'.repeat(100)}b`);
    expect(matches?.(`${'a'.repeat(5000)}/${'c/'.repeat(300)}d`)).toBe(false);
  });

  test('an escaped path matches exactly itself', () => {
    const segment = fc.string({ unit: fc.constantFrom(...'ab.*?[]{},\\ !-'.split('')), minLength: 1, maxLength: 6 }).filter((text) => text !== '..' && text !== '.');
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(path, path, (one, other) => {
        const matches = compilePathPattern(escapePath(one));
        expect(matches?.(one)).toBe(true);
        expect(matches?.(other)).toBe(one === other);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('argv patterns', () => {
  test.each([
    ['git status', [['git', 'status']], [['git', 'status', '-s'], ['git']]],
    ['git log *', [['git', 'log'], ['git', 'log', '-3', 'x y']], [['git', 'logs'], ['git']]],
    ['npm run test:*', [['npm', 'run', 'test:unit'], ['npm', 'run', 'test:']], [['npm', 'run', 'test:unit', '--x'], ['npm', 'run', 'build']]],
    ["rm '*.log'", [['rm', '*.log']], [['rm', 'a.log']]],
    ['echo "a b" c\\*', [['echo', 'a b', 'c*']], [['echo', 'a', 'b', 'c*']]],
    ['*', [['ls'], ['rm', '-rf', '/']], []],
    ['ls * x', [['ls', 'a', 'x']], [['ls', 'x'], ['ls', 'a', 'b', 'x']]],
  ])('%s', (text, yes, no) => {
    const pattern = parseArgvPattern(text)!;
    expect(yes.filter((argv) => !matchArgv(pattern, argv))).toEqual([]);
    expect(no.filter((argv) => matchArgv(pattern, argv))).toEqual([]);
  });

  test('an unclosed quote is no pattern', () => {
    expect(parseArgvPattern('echo "a')).toBeUndefined();
  });

  test('a formatted argument vector matches exactly itself', () => {
    const argv = fc.array(fc.string({ unit: fc.constantFrom(...'ab*\'"\\ $()'.split('')), maxLength: 5 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(argv, argv, (one, other) => {
        const pattern = parseArgvPattern(formatArgv(one))!;
        expect(matchArgv(pattern, one)).toBe(true);
        expect(matchArgv(pattern, other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('origin patterns', () => {
  test.each([
    ['host:*.example.org', ['https://a.example.org:443', 'http://a.b.example.org:8080'], ['https://example.org:443', 'https://xexample.org:443', 'https://a.example.org.evil.net:443']],
    ['host:example.org:8080', ['http://example.org:8080'], ['http://example.org:80']],
    ['https://example.org', ['https://example.org:443'], ['http://example.org:80', 'https://example.org:8443']],
    ['http://127.0.0.1:*', ['http://127.0.0.1:9'], ['https://127.0.0.1:9']],
    ['*://localhost', ['http://localhost:80', 'https://localhost:3000'], ['http://local:80']],
    ['host:[::1]', ['http://[::1]:80'], ['http://[::2]:80']],
  ])('%s', (text, yes, no) => {
    const pattern = parseOriginPattern(text)!;
    expect(yes.filter((origin) => !matchOrigin(pattern, origin))).toEqual([]);
    expect(no.filter((origin) => matchOrigin(pattern, origin))).toEqual([]);
  });

  test('what is not a canonical origin never matches', () => {
    const pattern = parseOriginPattern('host:*')!;
    expect(['example.org', 'https://example.org', 'https://a:1@b', 'file:'].filter((text) => matchOrigin(pattern, text))).toEqual([]);
  });
});
