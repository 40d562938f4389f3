// Edits of a text: line ends, what is refused, and a reference written on strings.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyPatch } from 'diff';
import { applyReplacements, planEdits, type TextEdit } from './plan-edits.js';
import { diffOfReplacements, diffOfTexts } from './unified-diff.js';

const edit = (old_text: string, new_text: string, replace_all = false): TextEdit => ({ old_text, new_text, replace_all });

function run(content: string, ...edits: TextEdit[]): string {
  const bytes = Buffer.from(content, 'utf8');
  return Buffer.concat(applyReplacements(bytes, planEdits(bytes, edits, 'f.txt'))).toString('utf8');
}

function failure(content: string, ...edits: TextEdit[]): { code: string; message: string } {
  try {
    return { code: 'no error', message: run(content, ...edits) };
  } catch (error) {
    return error as { code: string; message: string };
  }
}

describe('line ends', () => {
  test.each([
    ['LF in the text, CR LF in the file', 'one\ntwo', 'ONE\nTWO', false],
    ['the same with replace_all', 'one\ntwo', 'ONE\nTWO', true],
    ['CR LF in both', 'one\r\ntwo', 'ONE\r\nTWO', false],
    ['CR LF in both with replace_all', 'one\r\ntwo', 'ONE\r\nTWO', true],
  ])('%s', (_name, old_text, new_text, all) => {
    expect(run('one\r\ntwo\r\nthree\r\n', edit(old_text, new_text, all))).toBe('ONE\r\nTWO\r\nthree\r\n');
  });

  test('in a file with both kinds each untouched line keeps its own, new lines take the neighbour\'s', () => {
    expect(run('a\r\nb\nc\r\n', edit('b', 'B'))).toBe('a\r\nB\nc\r\n');
    expect(run('a\r\nb\nc\r\n', edit('a\nb\nc', 'A\nB\nX\nC'))).toBe('A\r\nB\nX\nC\r\n');
    expect(run('a\r\nb\nc\r\n', edit('c', 'c\nd'))).toBe('a\r\nb\nc\r\nd\r\n');
  });

  test('when only line ends differ between old and new text, they are what is edited', () => {
    expect(run('a\nb\n', edit('a\nb', 'a\r\nb'))).toBe('a\r\nb\n');
    expect(run('a\r\nb\r\n', edit('a\r\n', 'a\n'))).toBe('a\nb\r\n');
  });

  test('a text of line breaks only is found in a CR LF file', () => {
    expect(run('a\r\n\r\n\r\nb', edit('\n\n\n', '\n'))).toBe('a\r\nb');
  });
});

describe('what is refused', () => {
  test('several places: their count and lines', () => {
    const { code, message } = failure('n=1\nn=1\nn=1\n', edit('n=1', 'n=2'));
    expect(code).toBe('ambiguous_match');
    expect(message).toContain('3 times');
    expect(message).toContain('lines 1, 2, 3');
    expect(failure('aaa', edit('aa', 'b')).code).toBe('ambiguous_match');
    expect(run('aaa', edit('aa', 'b', true))).toBe('ba');
  });

  test('no place: the nearest lines and what differs', () => {
    const indented = failure('if a:\n\tgo()\nfor b:\n\t\t\t\tgo2()\n', edit('\t\t\t\tgo()', 'stop()'));
    expect(indented.code).toBe('no_match');
    expect(indented.message).toMatch(/line 2 \(indentation differs\): →go\(\)/);
    expect(failure('foo\nbar\n', edit('foo ', 'baz ')).message).toMatch(/line 1 \(white space at the end differs\)/);
    expect(failure('caf\u00e9\n', edit('cafe\u0301', 'x')).message).toMatch(/line 1 \(the Unicode composition differs/);
    expect(failure('say “hi”\n', edit('say "hi"', 'x')).message).toMatch(/line 1 \(quotation marks/);
    expect(failure('a\nbb\nc\n', edit('a\nbX\nc', 'x')).message).toMatch(/line 1, but line 2 is bb/);
    expect(failure('a\nb\n', edit('1\ta\n2\tb', 'x')).message).toMatch(/line numbers/);
    expect(failure('return computeTotal(items);\n', edit('return computeTotals(item);', 'x')).message).toMatch(/line 1 \(similar\)/);
  });

  test('no change', () => {
    expect(failure('same\n', edit('same', 'same')).code).toBe('no_change');
    expect(failure('a\r\nb', edit('a\nb', 'a\r\nb')).code).not.toBe('no error');
  });

  test('a batch is all or nothing, and names the edit', () => {
    const missing = failure('alpha beta gamma\n', edit('alpha', 'A'), edit('zeta', 'Z'));
    expect([missing.code, missing.message]).toEqual(['no_match', expect.stringContaining('edits[1]')]);
    const overlapping = failure('alpha beta gamma\n', edit('alpha beta', 'AB'), edit('beta gamma', 'BG'));
    expect([overlapping.code, overlapping.message]).toEqual(['overlapping_edits', expect.stringMatching(/edits\[0\].*edits\[1\]/)]);
    expect(run('alpha beta gamma\n', edit('gamma', 'C'), edit('alpha', 'A'))).toBe('A beta C\n');
  });
});

const piece = fc.constantFrom('a', 'b', ' ', '\t', '中', '😀', 'e\u0301', '\n', '\r\n');
const text = (max: number) => fc.array(piece, { maxLength: max }).map((pieces) => pieces.join(''));
const needle = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));

/** The rules of an edit written down a second time: on strings, with the line breaks kept apart. */
function referenceEdit(content: string, { old_text, new_text, replace_all }: TextEdit): string | undefined {
  const breaks = content.match(/\r?\n/g) ?? [];
  const plain = content.replaceAll('\r\n', '\n');
  const wanted = old_text.replaceAll('\r\n', '\n');
  const starts: number[] = [];
  for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, at + 1)) starts.push(at);
  if (starts.length === 0 || (starts.length > 1 && !replace_all)) return undefined;
  let done = 0;
  let result = '';
  let used = 0;
  const restore = (part: string) => part.replaceAll('\n', () => breaks[used++] ?? '\n');
  for (const start of starts) {
    if (start < done) continue;
    result += restore(plain.slice(done, start));
    const count = wanted.split('\n').length - 1;
    const replaced = breaks.slice(used, used + count);
    const fallback = replaced.at(-1) ?? breaks[used] ?? breaks[used - 1] ?? '\n';
    let index = 0;
    result += new_text.replaceAll('\r\n', '\n').replaceAll('\n', () => replaced[index++] ?? fallback);
    used += count;
    done = start + wanted.length;
  }
  return result + restore(plain.slice(done));
}

test('edits agree with a reference written on strings', () => {
  fc.assert(
    fc.property(text(30), needle, text(4), fc.boolean(), (content, old_text, new_text, replace_all) => {
      fc.pre(old_text.replaceAll('\r\n', '\n') !== new_text.replaceAll('\r\n', '\n'));
      const expected = referenceEdit(content, edit(old_text, new_text, replace_all));
      const actual = failure(content, edit(old_text, new_text, replace_all));
      if (expected === undefined) expect(actual.code).toMatch(/no_match|ambiguous_match/);
      else if (expected === content) expect(['no_change', 'no error']).toContain(actual.code);
      else expect(actual.message).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

test('the diff of an edit, applied to the old text, gives the new one', () => {
  const line = fc.constantFrom('alpha', 'beta', '中文', '', 'gamma delta');
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), fc.constantFrom('alpha', 'beta', 'gamma', '文\n'), text(3).filter((t) => !t.includes('\r')), (lines, old_text, new_text) => {
      const content = lines.join('\n');
      const bytes = Buffer.from(content, 'utf8');
      let replacements;
      try {
        replacements = planEdits(bytes, [edit(old_text, new_text, true)], 'f');
      } catch {
        return;
      }
      const diff = diffOfReplacements('f', bytes, replacements);
      expect(applyPatch(content, diff)).toBe(Buffer.concat(applyReplacements(bytes, replacements)).toString('utf8'));
    }),
    { numRuns: 1_000 },
  );
});

test('whole-text diffs say which lines went and came', () => {
  expect(diffOfTexts('f', 'a\nb\n', 'a\nc\n')).toBe('--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c');
});
