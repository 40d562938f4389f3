// Both compilers must emit the metadata that parameter types and injection are read from.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import 'reflect-metadata';
import * as throughSwc from './fixtures/injected.js';

const root = process.cwd();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(root, 'node_modules', '.toolchain-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function expectMetadata({ Alarm, Clock }: typeof throughSwc): void {
  expect(Reflect.getMetadata('design:paramtypes', Alarm)).toEqual([Clock]);
  expect(Reflect.getMetadata('design:type', Alarm.prototype, 'minutes')).toBe(Number);
  expect(new Alarm(new Clock()).minutes).toBe(5);
}

describe('constructor and field metadata', () => {
  test('through SWC', () => {
    expectMetadata(throughSwc);
  });

  test('through tsc', async () => {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--ignoreConfig', '--outDir', folder, '--target', 'ES2022', '--module', 'NodeNext', '--experimentalDecorators', '--emitDecoratorMetadata'];
    execFileSync(process.execPath, [tsc, join(root, 'tools/toolchain/fixtures/injected.ts'), ...options, '--types', 'node']);
    expectMetadata((await import(pathToFileURL(join(folder, 'injected.js')).href)) as typeof throughSwc);
  });
});

test('an error thrown by Node is an instance of the error classes that a test sees', () => {
  let thrown: unknown;
  try {
    new URL('not a url');
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(TypeError);
  expect(thrown instanceof RangeError).toBe(false);
});
