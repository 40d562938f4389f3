// The recordings of real answers beside the repository (../shared), and the server that plays them. They are not part of it: tests say so when they are absent.
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const recordingsFolder = resolve(root, '../shared/cassettes');
const serverFolder = resolve(root, '../shared/tools/replay');

export const recordingsPresent = existsSync(join(recordingsFolder, 'index.json')) && existsSync(serverFolder);

export type Api = 'chat' | 'responses' | 'messages';

/** What a correct client must see of one answer. */
export interface ExpectedTurn {
  status: number;
  stream: boolean;
  calls: { id: string; name: string; args?: string; custom?: boolean }[];
  text: string;
  textLength: number;
  stop?: string;
  usage?: { in?: number; out?: number };
  error?: string;
}

export interface Recording {
  id: string;
  file: string;
  api: Api;
  host?: string;
  turns: ExpectedTurn[];
  /** What the recording client sent back, by call id. */
  toolResults?: Record<string, string>;
  must: string;
}

/** The index of the recordings; empty when they are absent. */
export function recordings(): Recording[] {
  if (!recordingsPresent) return [];
  return JSON.parse(readFileSync(join(recordingsFolder, 'index.json'), 'utf8')) as Recording[];
}

export interface ReplayOptions {
  transcode?: boolean;
  chunkBytes?: number;
  cut?: { at: number; bytes: number };
}

export interface ReplayServer {
  url: string;
  list: { api: Api; request?: Record<string, unknown>; responseText: string }[];
  report: { served: number; total: number; requests: object[]; problems: { hit: number; kind: string; detail: unknown }[] };
  close(): Promise<void>;
}

type Start = (file: string, options: ReplayOptions) => Promise<ReplayServer>;
let starter: Promise<Start> | undefined;

export async function startReplay(recording: Recording, options: ReplayOptions): Promise<ReplayServer> {
  const start = await (starter ??= loadServer());
  return start(join(recordingsFolder, recording.file), options);
}

/** The server needs the package `yaml`, which its own folder cannot resolve: it runs from a copy that can. */
async function loadServer(): Promise<Start> {
  const copy = mkdtempSync(join(tmpdir(), 'haft-replay-'));
  cpSync(serverFolder, copy, { recursive: true });
  const yaml = dirname(createRequire(join(root, 'package.json')).resolve('yaml/package.json'));
  cpSync(yaml, join(copy, 'node_modules/yaml'), { recursive: true, dereference: true });
  const loaded = (await import(pathToFileURL(join(copy, 'replay-server.mjs')).href)) as { startReplay: Start };
  return loaded.startReplay;
}
