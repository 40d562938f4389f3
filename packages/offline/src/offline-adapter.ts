/**
 * A stand-in for a model that needs no key and no network. It follows rules: it splits the request into parts, chooses a tool for
 * each by its words, fills the arguments from what is said, and answers from the results. It says so when it does not understand.
 */
import type { ToolDefinition } from '@haft/core';
import type { AssistantPart, Message, ModelAdapter, ModelEvent, ModelRequest, ModelTurn, ToolMessage } from '@haft/agent';
import { answerFor, type Outcome } from './answer.js';
import { splitClauses, type Clause } from './clauses.js';
import { choose, type Choice } from './choose.js';
import { actionsIn, isChinese } from './lexicon.js';

interface Step {
  clause: Clause;
  choice: Choice;
}

/** What happened since the user last spoke. */
interface Progress {
  request: string;
  /** Paths of the files that came with the message. */
  attached: string[];
  results: Map<string, ToolMessage>;
  /** The calls made so far, in order, one group a turn. */
  turns: { id: string; name: string; arguments: string }[][];
}

export function offline(): ModelAdapter {
  return { provider: 'offline', model: 'rules', stream };
}

async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const turn = nextTurn(request);
  for (const part of turn.message.parts) {
    if (part.type !== 'text') continue;
    for (const text of part.text.match(/\s*\S+\s*/g) ?? []) yield { type: 'text_delta', text };
  }
  await Promise.resolve();
  yield { type: 'turn', turn };
}

function nextTurn(request: ModelRequest): ModelTurn {
  const progress = progressOf(request.messages);
  const tools = request.toolChoice === 'none' ? [] : offered(request);
  const steps = splitClauses(progress.request).map((clause): Step => ({ clause, choice: isAboutAttached(clause, progress) ? { kind: 'none' } : choose(clause.text, tools) }));
  const groups = groupSteps(steps);
  const isStopped = [...progress.results.values()].some((result) => result.status !== 'success');
  const group = isStopped ? undefined : groups[progress.turns.length];
  return group ? callTurn(group, progress.turns.length) : textTurn(finalAnswer(steps, groups, progress, tools));
}

function offered(request: ModelRequest): readonly ToolDefinition[] {
  const choice = request.toolChoice;
  return typeof choice === 'object' ? request.tools.filter((tool) => tool.name === choice.tool) : request.tools;
}

function progressOf(messages: readonly Message[]): Progress {
  const last = messages.findLastIndex((message) => message.role === 'user' && (message.origin ?? 'user') === 'user');
  const spoken = messages[last];
  const said = spoken?.role === 'user' ? spoken.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') : '';
  const request = withoutData(said);
  const since = messages.slice(last + 1);
  const results = since.filter((message) => message.role === 'tool');
  const turns = since.filter((message) => message.role === 'assistant').map((message) => message.parts.filter((part) => part.type === 'tool_call'));
  const attached = Array.from(said.matchAll(attachment), ([, path = '']) => path);
  return { request, attached, results: new Map(results.map((result) => [result.callId, result])), turns: turns.filter((calls) => calls.length > 0) };
}

const attachment = /\n*<attached path="([^"\n]*)">\n[\s\S]*?\n<\/attached>/g;

/** "Explain @a.txt": there is nothing to do with a tool, and rules can say nothing about a text. */
function isAboutAttached(clause: Clause, { attached }: Progress): boolean {
  return attached.length > 0 && actionsIn(clause.text).length === 0;
}

/** What is piped in or attached is data to work on, not a request: rules cannot tell an instruction in it from a text that holds one. */
function withoutData(text: string): string {
  // The at sign says that a file is attached; the path is the rest.
  return text.replace(attachment, '').replace(/\n*<stdin>\n[\s\S]*<\/stdin>\s*$/, '').replace(/(^|\s)@(?="?[^\s"]*[./])/g, '$1');
}

/** Reading calls that need not wait for each other share a turn; everything else goes one by one, in order. */
function groupSteps(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    if (step.choice.kind !== 'call') continue;
    const previous = groups.at(-1);
    if (previous && !step.clause.after && isReading(step) && previous.every(isReading)) previous.push(step);
    else groups.push([step]);
  }
  return groups;
}

function isReading(step: Step): boolean {
  return step.choice.kind === 'call' && step.choice.tool.scopes.every((scope) => scope === 'read');
}

function callTurn(group: readonly Step[], turn: number): ModelTurn {
  const parts = group.flatMap(({ choice }, index): AssistantPart[] =>
    choice.kind === 'call' ? [{ type: 'tool_call', id: `offline_${turn}_${index}`, name: choice.tool.name, arguments: choice.arguments }] : [],
  );
  return { message: { role: 'assistant', parts, finish: 'tool_calls' }, finish: 'tool_calls', usage: { input: 0, output: 0 } };
}

function textTurn(text: string): ModelTurn {
  return { message: { role: 'assistant', parts: [{ type: 'text', text }], finish: 'stop' }, finish: 'stop', usage: { input: 0, output: 0 } };
}

function finalAnswer(steps: readonly Step[], groups: readonly Step[][], progress: Progress, tools: readonly ToolDefinition[]): string {
  const outcomes = outcomesByStep(groups, progress);
  const chinese = isChinese(progress.request);
  const lines = steps.map((step) => {
    const outcome = outcomes.get(step);
    if (outcome) return answerFor(step.clause, outcome);
    return step.choice.kind === 'call' ? notDone(step.clause, chinese) : notUnderstood(step, tools, chinese);
  });
  const answer = lines.length > 0 ? lines.join('\n\n') : notUnderstood(undefined, tools, chinese);
  return steps.every((step) => outcomes.has(step)) || progress.attached.length === 0 ? answer : `${received(progress.attached, chinese)}\n\n${answer}`;
}

function outcomesByStep(groups: readonly Step[][], progress: Progress): Map<Step, Outcome> {
  const outcomes = new Map<Step, Outcome>();
  for (const [turn, calls] of progress.turns.entries()) {
    for (const [index, call] of calls.entries()) {
      const step = groups[turn]?.[index];
      const result = progress.results.get(call.id);
      if (step && result) outcomes.set(step, outcomeOf(call, result));
    }
  }
  return outcomes;
}

function outcomeOf(call: { name: string; arguments: string }, result: ToolMessage): Outcome {
  const text = result.content.map((part) => (part.type === 'text' ? part.text : `[image, ${part.mediaType}]`)).join('\n');
  return { tool: call.name, arguments: call.arguments, succeeded: result.status === 'success', text, ...(result.code ? { code: result.code } : {}) };
}

function notDone(clause: Clause, chinese: boolean): string {
  return chinese ? `没有执行“${clause.text}”，因为前面的步骤没有成功。` : `Not done, because an earlier step did not succeed: ${clause.text}`;
}

function received(paths: readonly string[], chinese: boolean): string {
  const names = paths.join(chinese ? '、' : ', ');
  return chinese ? `收到了附件：${names}。替身不能谈论文件的内容。` : `Attached: ${names}. A stand-in cannot say anything about what is in a file.`;
}

function notUnderstood(step: Step | undefined, tools: readonly ToolDefinition[], chinese: boolean): string {
  if (step?.choice.kind === 'incomplete') {
    const { tool, missing } = step.choice;
    const example = `${tool.name} ${JSON.stringify(Object.fromEntries(missing.map((name) => [name, '…'])))}`;
    return chinese ? `可以用 ${tool.name}，但还缺少：${missing.join('、')}。可以这样写：${example}` : `${tool.name} would fit, but the request does not say its ${missing.join(', ')}. Written out: ${example}`;
  }
  const names = tools.map((tool) => tool.name).join(', ');
  return chinese
    ? `我是离线替身：只按规则办事，不是语言模型。我能调用的工具：${names || '无'}。例如：“读取 README.md”，或写明 工具名 {JSON 参数}。`
    : `I am the offline stand-in: I follow rules and am not a language model. Tools that I can call: ${names || 'none'}. ` +
        'Try "read README.md lines 1-20", "search for TODO in src", or a tool\'s name followed by its arguments as JSON. For a real model, set a key (see README).';
}
