// The few styles that are used, as functions that do nothing where colour is off.

const styles = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  strikethrough: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const satisfies Record<string, readonly [open: number, close: number]>;

export type Colors = Readonly<Record<keyof typeof styles, (text: string) => string>> & { readonly enabled: boolean };

export function createColors(enabled: boolean): Colors {
  const functions = Object.entries(styles).map(([name, [open, close]]) => [name, enabled ? painter(`\x1b[${open}m`, `\x1b[${close}m`) : plain]);
  return { ...(Object.fromEntries(functions) as Record<keyof typeof styles, (text: string) => string>), enabled };
}

/** A style that ends inside the text is begun again behind it. */
function painter(open: string, close: string): (text: string) => string {
  return (text) => (text === '' ? '' : `${open}${text.replaceAll(close, `${close}${open}`)}${close}`);
}

function plain(text: string): string {
  return text;
}
