// Globs against a reference, and hostile ones.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileGlob } from './glob-pattern.js';

describe('globs', () => {
  test.each<[string, string[], string[]]>([
    ['*.ts', ['a.ts', '.ts'.slice(1) + '.ts', 'ü中.ts'], ['a.tsx', 'd/a.ts', '.a.ts']],
    ['**/*.ts', ['a.ts', 'd/a.ts', 'd/e/a.ts'], ['.d/a.ts', 'd/.a.ts']],
    ['src/**', ['src/a', 'src/b/c'], ['srcs/a', 'src/.a', 'lib/src/a']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/bb', 'x/a/b']],
    ['{a,b/{c,d}}.md', ['a.md', 'b/c.md', 'b/d.md'], ['b.md', '{a,b}.md']],
    ['?[a-c][!x]', ['zbz', '中aé'], ['zdz', 'zax', 'zb', '😀']],
    ['a\\*b', ['a*b'], ['axb']],
    ['[]]x', [']x'], ['x']],
    ['[x', ['[x'], ['x']],
    ['.*', ['.env'], ['env']],
    ['**', ['a', 'a/b'], ['.a', 'a/.b']],
    ['{x', ['{x'], ['x']],
    ['**/.git*/**', ['.github/w/ci.yml', 'd/.git/x'], ['git/x']],
  ])('%s', (pattern, matching, others) => {
    const glob = compileGlob(pattern);
    expect(matching.filter((path) => !glob.matches(path))).toEqual([]);
    expect(others.filter((path) => glob.matches(path))).toEqual([]);
  });

  test('ways up and floods are refused', () => {
    for (const pattern of ['*/../x', '{a,..}/b', '{a,b}'.repeat(20), 'x'.repeat(5_000)]) {
      expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ code: 'invalid_pattern' }));
    }
  });

  test('many stars on a long name are no trouble', () => {
    const started = performance.now();
    expect(compileGlob(`${'*a'.repeat(60)}b`).matches('a'.repeat(250))).toBe(false);
    expect(compileGlob(`${'**/a/'.repeat(60)}b`).matches('a/'.repeat(120) + 'c')).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

/** The meaning of a glob, written down without regard to speed. */
function referenceMatch(pattern: readonly string[], path: readonly string[], dot: boolean): boolean {
  const [part, ...parts] = pattern;
  const [name, ...names] = path;
  if (part === undefined) return name === undefined;
  if (part === '**') {
    const skips = name !== undefined && (dot || !name.startsWith('.')) && referenceMatch(pattern, names, dot);
    return referenceMatch(parts, path, dot) || skips;
  }
  if (name === undefined) return false;
  const hidden = !dot && name.startsWith('.') && !part.startsWith('.');
  return !hidden && referenceName(part, name) && referenceMatch(parts, names, dot);
}

function referenceName(part: string, name: string): boolean {
  if (part === '') return name === '';
  if (part.startsWith('*')) return referenceName(part.slice(1), name) || (name !== '' && referenceName(part, name.slice(1)));
  return name !== '' && (part.startsWith('?') || part[0] === name[0]) && referenceName(part.slice(1), name.slice(1));
}

const name = fc.stringMatching(/^[ab.]{1,4}$/).filter((text) => text !== '.' && text !== '..');
const part = fc.oneof({ weight: 3, arbitrary: fc.stringMatching(/^[ab.*?]{1,4}$/).filter((text) => !['.', '..', '**'].includes(text) && !text.includes('**')) }, { weight: 1, arbitrary: fc.constant('**') });
const path = fc.array(name, { minLength: 1, maxLength: 5 });
const pattern = fc.array(part, { minLength: 1, maxLength: 5 });

test('matching agrees with a reference', () => {
  fc.assert(
    fc.property(pattern, path, fc.boolean(), (parts, names, dot) => {
      const glob = compileGlob(parts.join('/'), { dot });
      expect(glob.matches(names.join('/'))).toBe(referenceMatch(parts, names, dot));
    }),
    { numRuns: 2_000 },
  );
});

test('a folder that holds a match is never passed over', () => {
  fc.assert(
    fc.property(pattern, path, fc.boolean(), (parts, names, dot) => {
      const glob = compileGlob(parts.join('/'), { dot });
      fc.pre(glob.matches(names.join('/')));
      for (let depth = 0; depth < names.length; depth++) expect(glob.couldMatchBelow(names.slice(0, depth).join('/'))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
