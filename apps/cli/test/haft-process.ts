// Runs the real command as a child process, as a user's shell does, with a state folder of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const haftBin = join(process.cwd(), 'apps/cli/bin/haft.js');

export interface HaftOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface HaftOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Text for stdin; `open` leaves it open without a byte. Default: /dev/null. */
  input?: string | { open: true };
  /** A guard against hanging. Default 30 s. */
  killAfterMs?: number;
}

/** A temporary folder that is the command's home and state: no key, no config and no session of the machine reaches it. */
export class HaftHome {
  readonly folder = mkdtempSync(join(tmpdir(), 'haft-home-'));

  get env(): Record<string, string> {
    const { PATH = '' } = process.env;
    return { PATH, HOME: this.folder, HAFT_HOME: join(this.folder, 'state'), LANG: 'C.UTF-8' };
  }

  /** Starts `haft ARGS…` and waits for its end. */
  async run(args: readonly string[], options: HaftOptions = {}): Promise<HaftOutcome> {
    const child = spawn(process.execPath, [haftBin, ...args], {
      cwd: options.cwd ?? this.folder,
      env: { ...this.env, ...options.env },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const guard = setTimeout(() => child.kill('SIGKILL'), options.killAfterMs ?? 30_000);
    if (typeof options.input === 'string') child.stdin?.on('error', () => undefined).end(options.input);
    const [stdout, stderr, code] = await Promise.all([
      collect(child.stdout),
      collect(child.stderr),
      new Promise<number | null>((resolve) => child.once('exit', resolve)),
    ]);
    clearTimeout(guard);
    child.stdin?.destroy();
    return { code, stdout, stderr };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function collect(stream: NodeJS.ReadableStream | null): Promise<string> {
  if (stream === null) return '';
  stream.setEncoding('utf8');
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
