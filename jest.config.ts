/** @jest-config-loader esbuild-register */
// Tests go through SWC, the workspace packages they import are the ones tsc built: one run exercises both compilers.
import type { Config } from 'jest';

const swc = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

const config: Config = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{packages,plugins,apps,examples,tools,bench}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/build/'],
  modulePathIgnorePatterns: ['<rootDir>/examples/[^/]+/node_modules/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  resolver: '<rootDir>/tools/jest/resolver.cjs',
  setupFiles: ['<rootDir>/tools/jest/setup.mjs'],
  reporters: ['default', '<rootDir>/tools/jest/counts-reporter.mjs'],
  coverageProvider: 'v8',
  testTimeout: 60_000,
  maxWorkers: 2,
  watchman: false,
};

export default config;
