// Standard output carries the answer alone: what a tool or plugin prints of its own goes to standard error, so that no reader takes it for
// part of the answer.
import type { Writer } from './terminal.js';

/** The way that is left to standard output, once for a process. */
export function takeStandardOutput(): Writer {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return {
    write: (text, done) => write(text, done),
    isTTY: stdout.isTTY,
    get columns() {
      return stdout.columns;
    },
    get rows() {
      return stdout.rows;
    },
  };
}
