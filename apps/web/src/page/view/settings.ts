/** Colours, language, and the menu of narrow screens. */
import { byId } from '../dom.js';
import { language, switchLanguage, words, type Words } from '../words.js';

export function setUpSettings(): void {
  const root = document.documentElement;
  root.lang = language;
  fillIn('text', (node, text) => { node.textContent = text; });
  fillIn('label', (node, text) => node.setAttribute('aria-label', text));
  fillIn('placeholder', (node, text) => node.setAttribute('placeholder', text));
  byId('log', HTMLElement).dataset['empty'] = words.empty;
  const stored = localStorage.getItem('haft-theme');
  if (stored === 'dark' || stored === 'light') root.dataset['theme'] = stored;
  byId('theme', HTMLButtonElement).addEventListener('click', switchTheme);
  byId('language', HTMLButtonElement).addEventListener('click', switchLanguage);
  byId('menu', HTMLButtonElement).addEventListener('click', () => toggleMenu());
}

export function toggleMenu(isOpen = !document.body.classList.contains('menu-open')): void {
  document.body.classList.toggle('menu-open', isOpen);
  byId('menu', HTMLButtonElement).setAttribute('aria-expanded', String(isOpen));
}

/** `data-text="send"` in index.html names a word of this page's language. */
function fillIn(kind: 'text' | 'label' | 'placeholder', put: (node: HTMLElement, text: string) => void): void {
  for (const node of document.querySelectorAll<HTMLElement>(`[data-${kind}]`)) put(node, words[node.dataset[kind] as keyof Words]);
}

function switchTheme(): void {
  const root = document.documentElement;
  const current = root.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const next = current === 'dark' ? 'light' : 'dark';
  root.dataset['theme'] = next;
  localStorage.setItem('haft-theme', next);
}
