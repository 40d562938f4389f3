/** A unified diff, line by line; the sign stays readable without colours. */
import { element } from '../dom.js';

export function diffNode(diff: string): HTMLElement {
  const lines = diff.replace(/\n$/, '').split('\n').map((line) => element('span', { class: `line ${kindOf(line)}` }, `${line}\n`));
  return element('pre', { class: 'diff', tabindex: '0' }, element('code', {}, ...lines));
}

function kindOf(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---')) return 'file';
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'place' : 'same';
}
