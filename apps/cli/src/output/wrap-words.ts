// Haft's own sentences on a narrow terminal: broken between words. Loads no package, since the first lines come before anything is loaded.

const escapes = /\x1b\[[0-9;]*m/g;
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/gu;

/** Columns in which a sentence can still be read. */
const leastRoom = 22;

/** The text with line breaks, so that lines are at most `columns` wide; what follows a break is indented by two. A word that is longer stays whole. */
export function wrapWords(text: string, columns: number): string {
  return text.split('\n').map((line) => wrapLine(line, columns)).join('\n');
}

function wrapLine(line: string, columns: number): string {
  if (roughWidth(line) <= columns) return line;
  const rows: string[] = [];
  let row = '';
  for (const word of line.match(/\s*\S+/g) ?? []) {
    if (row.trim() === '' || roughWidth(row + word) <= columns) {
      row += word;
      continue;
    }
    rows.push(row);
    row = `  ${word.trimStart()}`;
  }
  return [...rows, row].join('\n');
}

/** Rows of two columns; where the second one is broken, it goes on below itself, or, on a narrow terminal, indented. */
export function twoColumns(rows: readonly (readonly [head: string, text: string])[], columns: number, paint: (head: string) => string): string[] {
  const width = Math.max(...rows.map(([head]) => roughWidth(head)));
  const room = columns - width - 4;
  return rows.flatMap(([head, text]) => {
    if (room < leastRoom) return [`  ${paint(head)}`, ...wrapWords(text, columns - 4).split('\n').map((line) => `    ${line.trimStart()}`)];
    const [first = '', ...rest] = wrapWords(text, room).split('\n');
    return [`  ${paint(head)}${' '.repeat(width - roughWidth(head))}  ${first}`, ...rest.map((line) => `${' '.repeat(width + 4)}${line.trimStart()}`)];
  });
}

/** Columns without colours; wide characters take two. */
function roughWidth(text: string): number {
  const bare = text.replace(escapes, '');
  return bare.replace(/[\u{10000}-\u{10ffff}]/gu, 'x').length + (bare.match(wide)?.length ?? 0);
}
