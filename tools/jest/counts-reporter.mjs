// Ends a test run with the plain line `N passed, N failed`. A test file that could not run counts as one failure.
// Jest prints its summary after every other reporter, so the line waits for the end of the process.
export default class CountsReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.once('exit', () => process.stdout.write(`${results.numPassedTests} passed, ${failed} failed\n`));
  }
}
