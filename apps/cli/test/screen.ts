// Drives the command in a real pseudo-terminal (tmux): types, presses keys, reads the screen and the raw bytes.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HaftHome, haftBin } from './haft-process.js';

export interface ScreenOptions {
  cwd: string;
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
}

let count = 0;
const pollMs = 50;
const patienceMs = 20_000;
/** A key that was taken is on the screen long before. */
const retypeMs = 2_000;


export class Screen {
  readonly #socket = `haft-test-${process.pid}-${(count += 1)}`;
  readonly #raw: string;

  constructor(home: HaftHome, args: readonly string[], { cwd, columns = 100, rows = 40, env = {} }: ScreenOptions) {
    this.#raw = join(home.folder, `${this.#socket}.raw`);
    const settings = Object.entries({ ...home.env, ...env }).map(([name, value]) => quote(`${name}=${value}`));
    const command = `/bin/sh -c ${quote(`echo $$ > ${quote(`${this.#raw}.pid`)}; exec "$@"`)} sh ${[process.execPath, haftBin, ...args].map(quote).join(' ')}`;
    const finished = `; printf 'exit status %s\\n' "$?"; sleep 600`;
    // The pane waits until its bytes are recorded.
    const start = `read -r _; exec env -i TERM=xterm-256color ${settings.join(' ')} /bin/sh -c ${quote(command + finished)}`;
    this.#tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', cwd, start);
    this.#tmux('pipe-pane', '-o', `cat >> ${quote(this.#raw)}`);
    this.#tmux('send-keys', 'Enter');
  }

  /** Types text as it is, without Enter. */
  type(text: string): void {
    this.#tmux('send-keys', '-l', text);
  }

  /** Presses keys by tmux's names: Enter, C-c, Escape, Tab, Up, BSpace … */
  press(...names: string[]): void {
    this.#tmux('send-keys', ...names);
  }

  /** Types a line and Enter. */
  send(line: string): void {
    this.type(line);
    this.press('Enter');
  }

  /** Presses a key at a question. One that comes right behind the question is not taken for an answer, so it is pressed until it is shown behind it. */
  async answer(key: string): Promise<void> {
    const shown = new RegExp(` > ${key}$`, 'gm');
    const before = this.text().match(shown)?.length ?? 0;
    const end = Date.now() + patienceMs;
    for (;;) {
      this.type(key);
      const again = Date.now() + retypeMs;
      while (Date.now() < again) {
        if ((this.text().match(shown)?.length ?? 0) > before) return;
        await sleep(pollMs);
      }
      if (Date.now() > end) throw new Error(`${key} answered nothing:\n${this.text()}`);
    }
  }

  /** Sends bytes as the terminal would in one piece, e.g. a paste. */
  paste(text: string, bracketed: boolean): void {
    execFileSync('tmux', ['-L', this.#socket, 'load-buffer', '-'], { input: text });
    this.#tmux('paste-buffer', '-r', ...(bracketed ? ['-p'] : []));
  }

  /** Ends the command as a crash of the machine would. */
  kill(): void {
    process.kill(Number(readFileSync(`${this.#raw}.pid`, 'utf8')), 'SIGKILL');
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** What the screen shows, scrolled-off lines included; lines that the terminal wrapped are joined. */
  text(): string {
    return this.#tmux('capture-pane', '-p', '-J', '-S', '-').replace(/[ \n]+$/, '');
  }

  /** The rows that are seen now, without what has scrolled away. */
  visible(): string {
    return this.#tmux('capture-pane', '-p', '-J').replace(/[ \n]+$/, '');
  }

  /** Everything that was written to the terminal. */
  raw(): string {
    return existsSync(this.#raw) ? readFileSync(this.#raw, 'utf8') : '';
  }

  /** Resolves with the screen once it matches. Rejects with the screen when it does not in time. */
  waitFor(pattern: RegExp | string, timeoutMs = patienceMs): Promise<string> {
    return this.waitUntil((text) => (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text)), String(pattern), timeoutMs);
  }

  /** The same for any condition on what the screen shows. */
  async waitUntil(holds: (text: string) => boolean, what = String(holds), timeoutMs = patienceMs): Promise<string> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const text = this.text();
      if (holds(text)) return text;
      if (Date.now() > end) throw new Error(`${what} did not appear on the screen:\n${text}`);
      await sleep(pollMs);
    }
  }

  close(): void {
    try {
      this.#tmux('kill-server');
    } catch {
      // It has ended by itself.
    }
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, LC_ALL: 'C.UTF-8' } });
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
