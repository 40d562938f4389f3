/** Code with colours: the highlighter's markup is read as a document of its own, and only its spans and texts are taken over. */
import { element } from '../dom.js';
import highlighter from '../vendor/highlight.js';

/** Longer code is shown plain: colouring it would hold up the page. */
const longest = 50_000;

export function highlighted(code: string, language: string): (Node | string)[] {
  if (code.length > longest || language === '' || highlighter.getLanguage(language) === undefined) return [code];
  const { value } = highlighter.highlight(code, { language, ignoreIllegals: true });
  return [...new DOMParser().parseFromString(value, 'text/html').body.childNodes].map(safeCopy);
}

function safeCopy(node: Node): Node | string {
  if (!(node instanceof HTMLElement)) return node.textContent ?? '';
  const classes = [...node.classList].filter((name) => /^[\w-]+$/.test(name)).join(' ');
  return element('span', { class: classes }, ...[...node.childNodes].map(safeCopy));
}
