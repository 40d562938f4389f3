/** Markdown as nodes. Only what a message needs: no HTML passes through, links lead to the web or to mail, images are left as links. */
import { button, element } from '../dom.js';
import { type Token, type Tokens, lexer } from '../vendor/marked.js';
import { words } from '../words.js';
import { highlighted } from './highlight.js';

/** Renders growing text into `host`: blocks that did not change keep their nodes. */
export class MarkdownView {
  readonly #raws: string[] = [];

  constructor(private readonly host: HTMLElement) {}

  show(text: string): void {
    const blocks = lexer(text).filter((token) => token.type !== 'space');
    const same = firstDifference(this.#raws, blocks);
    while (this.host.childNodes.length > same) this.host.lastChild?.remove();
    this.#raws.length = same;
    for (const block of blocks.slice(same)) {
      this.#raws.push(block.raw);
      this.host.append(blockNode(block));
    }
  }
}

function firstDifference(raws: readonly string[], blocks: readonly Token[]): number {
  const index = blocks.findIndex((block, at) => raws[at] !== block.raw);
  return index < 0 ? Math.min(raws.length, blocks.length) : index;
}

function blockNode(token: Token): Node {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      // The page has one h1 of its own; a message's headings come below it.
      return element(`h${Math.min(6, depth + 1)}` as 'h2', {}, ...inline(tokens));
    }
    case 'paragraph':
      return element('p', {}, ...inline((token as Tokens.Paragraph).tokens));
    case 'code':
      return codeBlock(token as Tokens.Code);
    case 'blockquote':
      return element('blockquote', {}, ...(token as Tokens.Blockquote).tokens.filter((inner) => inner.type !== 'space').map(blockNode));
    case 'list':
      return listNode(token as Tokens.List);
    case 'table':
      return tableNode(token as Tokens.Table);
    case 'hr':
      return element('hr');
    case 'text':
      return element('p', {}, ...inline((token as Tokens.Text).tokens ?? [token]));
    default:
      return element('p', {}, token.raw);
  }
}

function codeBlock({ text, lang }: Tokens.Code): Node {
  const language = /^[\w+#-]+/.exec(lang ?? '')?.[0] ?? '';
  const copy = button(words.copy, () => {
    void navigator.clipboard.writeText(text).then(() => {
      copy.textContent = words.copied;
      setTimeout(() => { copy.textContent = words.copy; }, 1_500);
    });
  }, { class: 'copy' });
  const head = element('div', { class: 'code-head' }, element('span', {}, language), copy);
  return element('div', { class: 'code' }, head, element('pre', { tabindex: '0' }, element('code', {}, ...highlighted(text, language))));
}

function listNode({ ordered, start, items }: Tokens.List): Node {
  const nodes = items.map((item) => {
    const box = item.task ? [element('input', { type: 'checkbox', disabled: true, checked: item.checked === true })] : [];
    return element('li', {}, ...box, ...item.tokens.flatMap((token) => (token.type === 'text' ? inline((token as Tokens.Text).tokens ?? [token]) : token.type === 'space' ? [] : [blockNode(token)])));
  });
  return ordered ? element('ol', { start: String(start === '' ? 1 : start) }, ...nodes) : element('ul', {}, ...nodes);
}

function tableNode({ header, rows }: Tokens.Table): Node {
  const cells = (name: 'th' | 'td', row: Tokens.TableCell[]): Node[] => row.map((cell) => element(name, {}, ...inline(cell.tokens)));
  const head = element('thead', {}, element('tr', {}, ...cells('th', header)));
  const body = element('tbody', {}, ...rows.map((row) => element('tr', {}, ...cells('td', row))));
  return element('div', { class: 'table', tabindex: '0' }, element('table', {}, head, body));
}

function inline(tokens: readonly Token[]): Node[] {
  return tokens.map((token) => {
    switch (token.type) {
      case 'strong':
        return element('strong', {}, ...inline((token as Tokens.Strong).tokens));
      case 'em':
        return element('em', {}, ...inline((token as Tokens.Em).tokens));
      case 'del':
        return element('del', {}, ...inline((token as Tokens.Del).tokens));
      case 'codespan':
        return element('code', {}, (token as Tokens.Codespan).text);
      case 'br':
        return element('br');
      case 'link':
        return linkNode((token as Tokens.Link).href, inline((token as Tokens.Link).tokens));
      case 'image':
        return linkNode((token as Tokens.Image).href, [document.createTextNode((token as Tokens.Image).text || (token as Tokens.Image).href)]);
      case 'escape':
        return document.createTextNode((token as Tokens.Escape).text);
      case 'text': {
        const { tokens: inner, raw } = token as Tokens.Text;
        return inner === undefined ? document.createTextNode(unescaped(raw)) : element('span', {}, ...inline(inner));
      }
      default:
        return document.createTextNode(token.raw);
    }
  });
}

/** The lexer leaves character references alone; the common ones are read here, as text. */
function unescaped(text: string): string {
  const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0' };
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (reference, name: string) => names[name] ?? reference);
}

function linkNode(href: string, children: Node[]): Node {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return element('span', { title: href }, ...children);
  return element('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow', title: href }, ...children);
}
