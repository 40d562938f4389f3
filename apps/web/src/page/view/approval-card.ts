/** The question before a call: what will happen, why it is asked, what a lasting yes would store, and the answers. */
import type { ApprovalAnswer, ApprovalRequest, JsonObject } from '@haft/core';
import { button, element } from '../dom.js';
import { words } from '../words.js';
import { diffNode } from './diff.js';

export type OnAnswer = (request: ApprovalRequest, answer: ApprovalAnswer) => void;

export function approvalCard(request: ApprovalRequest, onAnswer: OnAnswer): HTMLElement {
  const card = element('section', { class: 'approval', role: 'group', 'aria-label': `${words.approvalTitle} ${request.tool}`, tabindex: '-1' });
  const rules = request.decision.suggestion ?? [];
  card.append(element('h2', {}, `${words.approvalTitle} ${request.tool}`), ...whatHappens(request), facts(request));
  if (rules.length > 0) card.append(element('p', { class: 'hint' }, words.approvalRule), element('pre', { class: 'rules' }, rules.join('\n')));
  card.append(answers(request, rules.length > 0, onAnswer));
  return card;
}

function whatHappens({ preview }: ApprovalRequest): Node[] {
  if (!preview) return [];
  return [
    ...(preview.title === undefined ? [] : [element('p', {}, preview.title)]),
    ...(preview.diff === undefined ? [] : [diffNode(preview.diff)]),
    ...(preview.text === undefined ? [] : [element('pre', { tabindex: '0' }, preview.text)]),
  ];
}

function facts({ decision, accesses }: ApprovalRequest): HTMLElement {
  const touched = accesses.map((access) => `${access.mode} ${access.kind}: ${access.argv?.join(' ') ?? access.resource}`);
  const reasons = decision.reasons.map(({ rule, source }) => `${rule} (${source.kind === source.where ? source.kind : `${source.kind}: ${source.where}`})`);
  return element(
    'dl',
    {},
    ...(touched.length === 0 ? [] : [element('dt', {}, words.approvalTouches), ...touched.map((text) => element('dd', {}, text))]),
    element('dt', {}, words.approvalWhy),
    ...reasons.map((text) => element('dd', {}, text)),
  );
}

function answers(request: ApprovalRequest, canLast: boolean, onAnswer: OnAnswer): HTMLElement {
  const give = (answer: ApprovalAnswer) => (): void => onAnswer(request, answer);
  const reason = element('input', { type: 'text', 'aria-label': words.denyReason, placeholder: words.denyReason });
  const deny = button(words.deny, () => onAnswer(request, { answer: 'deny', ...(reason.value.trim() === '' ? {} : { reason: reason.value.trim() }) }), { class: 'deny' });
  const editor = argumentsEditor(request, onAnswer);
  const lasting = canLast ? [button(words.session, give({ answer: 'session' })), button(words.always, give({ answer: 'always' }))] : [];
  const edit = button(words.edit, () => {
    editor.hidden = !editor.hidden;
    if (!editor.hidden) editor.querySelector('textarea')?.focus();
  });
  return element(
    'div',
    { class: 'answers' },
    element('div', { class: 'row' }, button(words.once, give({ answer: 'once' }), { class: 'primary' }), ...lasting, edit),
    element('div', { class: 'row' }, deny, reason),
    editor,
  );
}

function argumentsEditor(request: ApprovalRequest, onAnswer: OnAnswer): HTMLElement {
  const text = element('textarea', { rows: '8', spellcheck: 'false', 'aria-label': words.arguments });
  text.value = JSON.stringify(request.arguments, null, 2);
  const problem = element('p', { class: 'problem', role: 'alert' });
  const run = button(words.runEdited, () => {
    const edited = objectIn(text.value);
    if (edited) onAnswer(request, { answer: 'edit', arguments: edited });
    else problem.textContent = words.badJson;
  }, { class: 'primary' });
  return element('div', { class: 'editor', hidden: true }, text, problem, run);
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
