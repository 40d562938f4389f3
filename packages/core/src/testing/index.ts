// The public surface of @haft/core/testing: named exports only.
export { type FakeExecute, type FakeToolOptions, fakeTool, noServices } from './fake-tool.js';
export { ToolBench, type ToolBenchOptions } from './tool-bench.js';
