// What an approval shows: the tool, what it touches, a diff where there is one, why it is asked, and the answers. Everything untrusted is sanitised.
import type { ApprovalRequest, CanonicalAccess, DecisionReason } from '@haft/core';
import wrapAnsi from 'wrap-ansi';
import { renderDiff } from '../output/diff.js';
import { sanitiseLine } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';
import { widthOf } from '../output/width.js';
import { visibleText } from './visible-text.js';

const shownDiffLines = 40;

export function describeRequest(request: ApprovalRequest, terminal: Terminal, options: { whole?: boolean } = {}): string {
  const { bold, dim, yellow } = terminal.colors;
  const from = request.plugin === undefined ? '' : dim(` (plugin ${sanitiseLine(request.plugin)})`);
  const lines = [
    `${yellow('?')} ${bold(sanitiseLine(request.tool))} wants to run${from}, scope ${request.scopes.join(', ') || 'none'}`,
    ...whatItDoes(request, terminal, options.whole ?? false),
    ...new Set(request.decision.reasons.map((reason) => dim(`  asked because: ${describeReason(reason)}`))),
    answers(request, terminal, options.whole !== true && isDiffCut(request)),
  ];
  return lines.map((line) => wrapLine(line, terminal.columns)).join('\n');
}

/** The question shows only the beginning of the diff. */
export function isDiffCut({ preview }: ApprovalRequest): boolean {
  return (preview?.diff ?? '').replace(/\n$/, '').split('\n').length > shownDiffLines;
}

/** Between words, with the indentation of a continued line. */
function wrapLine(text: string, columns: number): string {
  return text.split('\n').map((line) => wrapAnsi(line, Math.max(20, columns - 4), { hard: true, trim: false }).replace(/ *\n/g, '\n    ')).join('\n');
}

function whatItDoes(request: ApprovalRequest, terminal: Terminal, whole: boolean): string[] {
  const { title, text, diff } = request.preview ?? {};
  // A command that the preview shows whole is shown once.
  const unseen = request.accesses.filter((access) => access.kind !== 'command' || text?.split('\n\n').includes(access.value) !== true);
  const touched = [...new Set(unseen.map((access) => `  ${describeAccess(access)}`))];
  const shown = [...(title === undefined ? [] : [`  ${sanitiseLine(title)}`]), ...(text === undefined ? [] : indent(visibleText(text)))];
  if (diff !== undefined) shown.push(...renderDiff(diff, terminal.colors, whole ? Number.POSITIVE_INFINITY : shownDiffLines));
  if (shown.length > 0) return [...touched, ...shown];
  return [...touched, ...describeArguments(request, touched.length > 0)];
}

/** Arguments that no access shows, each on one line. */
function describeArguments(request: ApprovalRequest, compact: boolean): string[] {
  const shown = new Set(request.accesses.map((access) => access.value));
  return Object.entries(request.arguments)
    .filter(([, value]) => !(compact && typeof value === 'string' && shown.has(value)))
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `  ${sanitiseLine(name)}: ${visibleText(text).replaceAll('\n', '\n    ')}`;
    });
}

function describeAccess(access: CanonicalAccess): string {
  const where = access.kind === 'path' && access.inside === false ? ' (outside the workspace)' : '';
  const what = access.kind === 'command' ? access.value : access.resource;
  return `${access.kind === 'command' ? 'run' : access.mode} ${visibleText(what).replaceAll('\n', '\n    ')}${where}`;
}

function describeReason({ rule, source }: DecisionReason): string {
  const place = source.kind === source.where ? source.kind : `${source.kind} ${source.where}`;
  return sanitiseLine(`${rule} (${place})`);
}

function answers({ decision }: ApprovalRequest, { colors, columns }: Terminal, cut: boolean): string {
  const key = (letter: string, meaning: string): string => `${colors.bold(`[${letter}]`)} ${meaning}`;
  const lasting = decision.suggestion?.map((rule) => sanitiseLine(rule)).join(', ');
  const parts = [
    key('y', 'once'),
    ...(lasting === undefined ? [] : [key('a', `this session: ${lasting}`), key('p', `always: ${lasting}`)]),
    key('e', 'edit'),
    ...(cut ? [key('d', 'whole diff')] : []),
    key('n', 'no'),
    key('N', 'no, with a reason'),
  ];
  const rows = [''];
  for (const part of parts) {
    const row = `${rows.at(-1)}  ${part}`;
    if (widthOf(row) <= columns - 4 || rows.at(-1) === '') rows[rows.length - 1] = row;
    else rows.push(`  ${part}`);
  }
  return `${rows.join('\n')} > `;
}

function indent(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`);
}
