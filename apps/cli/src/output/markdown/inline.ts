// Inline Markdown as terminal text: bold, italic, code, links with their address.
import type { Token, Tokens } from 'marked';
import type { Colors } from '../colors.js';

/** The text of inline tokens with colours. */
export function renderInline(tokens: readonly Token[] | undefined, colors: Colors): string {
  return (tokens ?? []).map((token) => renderToken(token, colors)).join('');
}

function renderToken(token: Token, colors: Colors): string {
  const inner = (): string => ('tokens' in token && token.tokens !== undefined ? renderInline(token.tokens, colors) : unescape('text' in token ? String(token.text) : token.raw));
  switch (token.type) {
    case 'strong':
      return colors.bold(inner());
    case 'em':
      return colors.italic(inner());
    case 'del':
      return colors.strikethrough(inner());
    case 'codespan':
      return colors.cyan(unescape((token as Tokens.Codespan).text));
    case 'br':
      return '\n';
    case 'link':
      return link(token as Tokens.Link, inner(), colors);
    case 'image':
      return `${(token as Tokens.Image).text} ${colors.dim(`(${(token as Tokens.Image).href})`)}`;
    default:
      return inner();
  }
}

/** The address is always shown: a text that hides where it leads is a trick. */
function link(token: Tokens.Link, text: string, colors: Colors): string {
  const bare = token.href === token.text || token.href === `mailto:${token.text}`;
  return bare ? colors.underline(text) : `${text} ${colors.dim(`(${token.href})`)}`;
}

/** marked leaves text as it was written, except for the escapes of HTML in some tokens. */
function unescape(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '');
}
