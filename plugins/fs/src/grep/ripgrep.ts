/**
 * ripgrep as a sieve: which of these files may hold a match? What is reported comes from our own reading of them, so that a file which is
 * swapped for a link meanwhile gives nothing away, and so that both ways of searching give the same result.
 */
import type { ProcessRunner } from '@haft/process';

export interface SieveRequest {
  /** In ripgrep's spelling (to-ripgrep.ts). */
  pattern: string;
  multiline: boolean;
  /** Absolute. */
  root: string;
  signal: AbortSignal;
}

let program: Promise<string | undefined> | undefined;

/** ripgrep's path, or undefined where its package has no binary for this platform. */
export function ripgrepPath(): Promise<string | undefined> {
  program ??= import('@vscode/ripgrep').then(({ rgPath }) => rgPath, () => undefined);
  return program;
}

/** Whether a path can be given to a program as text and recognised in what it prints. */
export function isPlainPath(path: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}\ufffd]/u.test(path);
}

/** The paths (from the root) that may match, in the order given; all of them when ripgrep cannot say. */
export async function siftFiles(runner: ProcessRunner, rgPath: string, paths: readonly string[], request: SieveRequest): Promise<readonly string[]> {
  const options = [
    '--no-config', '--files-with-matches', '--text', '--no-messages', '--no-ignore', '--hidden', '--color=never', '--no-mmap', '--threads=2',
    '--dfa-size-limit=64M', '--regex-size-limit=256M', ...(request.multiline ? ['--multiline'] : []), `--regexp=${request.pattern}`,
  ];
  let output = '';
  const outcome = await runner.run({
    argv: [rgPath, ...options, '--', ...paths.map((path) => `./${path}`)],
    cwd: request.root,
    signal: request.signal,
    maxOutputChars: 1_000,
    onOutput: (chunk, stream) => {
      if (stream === 'stdout') output += chunk;
    },
  });
  request.signal.throwIfAborted();
  if (outcome.reason !== 'exit' || outcome.exitCode === null || outcome.exitCode > 1) return paths;
  const named = new Set(output.split('\n').filter((line) => line !== '').map((line) => line.replace(/^\.\//, '')));
  const kept = paths.filter((path) => named.delete(path));
  // A name that is none of ours means that the output was not what we take it for.
  return named.size === 0 ? kept : paths;
}
