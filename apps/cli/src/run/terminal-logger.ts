// Log lines of tools and plugins on stderr: warnings and errors in short, everything with --verbose.
import type { Logger } from '@haft/core';
import { sanitise } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';

/** A logger that writes to the terminal's stderr. */
export function terminalLogger(terminal: Terminal): Logger {
  const line = (level: string, message: string, fields?: object): void => {
    terminal.note(sanitise(`${level}: ${message}${fields === undefined ? '' : ` ${inspect(fields)}`}`));
  };
  const whenVerbose = (level: string) => (message: string, fields?: object) => {
    if (terminal.verbose) line(level, message, fields);
  };
  const always = (level: string, hint = '') => (message: string, fields?: object) => line(level, terminal.verbose || fields === undefined ? message : `${message}${hint}`, terminal.verbose ? fields : undefined);
  return { debug: whenVerbose('debug'), info: whenVerbose('info'), warn: always('warning'), error: always('error', ' (--verbose shows the details)') };
}

function inspect(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => (name === 'stack' && typeof value === 'string' ? `\n${value}` : `${name}=${value instanceof Error ? (value.stack ?? value.message) : JSON.stringify(value)}`))
    .join(' ');
}
