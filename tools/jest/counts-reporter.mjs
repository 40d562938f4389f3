// Ends a test run with the plain line `N passed, N failed`. A test file that could not run counts as one failure.
export default class CountsReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.stdout.write(`${results.numPassedTests} passed, ${failed} failed\n`);
  }
}
