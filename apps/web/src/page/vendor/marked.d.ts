/** The Markdown lexer, served from its own package under this path. */
export { lexer, type Token, type Tokens } from 'marked';
