// The public surface of @haft/core/testing: named exports only.
export { type FakeExecute, type FakeToolOptions, fakeTool, noServices } from './fake-tool.js';
export { ToolBench, type ToolBenchOptions } from './tool-bench.js';
export { type DescribedTool, describeTools } from './describe-tools.js';
export { type MatcherOutcome, type ToolExpectation, expectTool, toolMatchers } from './expect-tool.js';
export { type FakeClock, fakeClock } from './fake-clock.js';
