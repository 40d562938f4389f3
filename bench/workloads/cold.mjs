// A fresh process with 100 tools, libraries loaded: what it takes to make and list them, to list them again, and to check each one's arguments for the first time.
import assert from 'node:assert/strict';
import { runProcess } from './start.mjs';

const listers = ['floor', 'haft', 'ai-sdk', 'helpers of the SDKs', 'langchain', 'class-validator-jsonschema'];
const validators = ['floor', 'haft', 'ai-sdk', 'langchain', 'class-validator-jsonschema', 'ajv'];

/** Haft beside what class-validator's own decorators cost; `haft with decorators` has both. */
export function coldWorkload() {
  const what = "100 tools of 6 parameters made and listed for OpenAI and Anthropic; `haft` beside class-validator's own decorators";
  const rows = [...listers.map((name) => row(name, 'coldMs')), { ...row('haft', 'withValidatorMs'), name: 'haft with decorators' }];
  return workload('schema cold', what, rows);
}

export function warmWorkload() {
  return workload('schema warm', 'both lists again', listers.map((name) => row(name, 'warmMs')));
}

export function firstUseWorkload() {
  return workload('first use of validators', 'the first call of each of 100 tools is checked', validators.map((name) => row(name, 'firstUseMs')));
}

/** `figure` is a field that the process prints, in milliseconds of CPU. */
function row(contestant, figure) {
  return { name: contestant, run: () => runProcess('cold-tools.mjs', contestant), figure };
}

function workload(name, what, contestants) {
  const check = (result, contestant) => assert.ok(result.bytes > 50_000, `${contestant} listed ${result.bytes} bytes`);
  return { name, what, unit: 'µs of CPU', rounds: 12, warm: 1, contestants, check };
}
