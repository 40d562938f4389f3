// What begins with a slash in a conversation is for the terminal, not for the model.
import type { Agent } from '@haft/agent';
import { describeSource } from '@haft/core';
import { CliError } from '../exit-code.js';
import { sanitiseLine } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';
import { resultDetails } from '../output/tool-details.js';
import { cutToWidth } from '../output/width.js';
import { twoColumns } from '../output/wrap-words.js';
import { openSessionStore } from '../run/open-session.js';
import type { Runtime } from '../run/runtime.js';
import { didYouMean } from '../text/did-you-mean.js';
import { firstSentence } from '../text/first-sentence.js';
import { localTime, titleOf } from '../text/session-line.js';
import type { ConversationLog } from './conversation-log.js';
import { describeMode, modeNames } from './modes.js';

export interface SlashContext {
  terminal: Terminal;
  runtime: Runtime;
  agent: Agent;
  log: ConversationLog;
}

/** What the REPL does next. */
export type SlashOutcome = { then: 'stay' } | { then: 'leave' } | { then: 'new' } | { then: 'go on' } | { then: 'compact' } | { then: 'model'; model: string } | { then: 'resume'; id: string };

interface SlashCommand {
  help: string;
  run(argument: string, context: SlashContext): SlashOutcome | Promise<SlashOutcome>;
}

const stay: SlashOutcome = { then: 'stay' };

export const slashCommands: Readonly<Record<string, SlashCommand>> = {
  '/help': { help: 'this list (also ?)', run: (_argument, { terminal }) => listCommands(terminal) },
  '/tools': { help: 'the tools that the model is shown', run: (_argument, context) => listTools(context) },
  '/model': { help: 'the model; with a name, go on with that one: /model anthropic:claude-sonnet-4-5', run: (argument, context) => model(argument, context) },
  '/permissions': { help: 'rules and grants', run: (_argument, context) => listRules(context) },
  '/mode': { help: 'what happens without a rule (also Shift-Tab): /mode auto-edit', run: (argument, context) => mode(argument, context) },
  '/revoke': { help: 'take a grant back: /revoke g…', run: (argument, context) => revoke(argument, context) },
  '/sessions': { help: 'conversations of this folder; with an id, go on with that one', run: (argument, context) => sessions(argument, context) },
  '/continue': { help: 'go on with a run that was interrupted', run: (_argument, { agent, terminal }) => (agent.session.unfinished === undefined ? say(terminal, 'Nothing was interrupted.') : { then: 'go on' }) },
  '/details': { help: 'the last tool results in full (also Ctrl-O)', run: (_argument, context) => details(context) },
  '/cost': { help: 'tokens and cost of this conversation', run: (_argument, { terminal, log }) => say(terminal, log.summary()) },
  '/compact': { help: 'older messages become notes, so that there is room; done with your next message', run: (_argument, context) => compact(context) },
  '/clear': { help: 'a new conversation; the old one is kept', run: () => ({ then: 'new' }) },
  '/exit': { help: 'leave (also q, exit, Ctrl-D)', run: () => ({ then: 'leave' }) },
};

/** Runs a line that begins with a slash. Throws a CliError for an unknown command. */
export async function runSlashCommand(line: string, context: SlashContext): Promise<SlashOutcome> {
  const [, name = '', argument = ''] = /^(\/\S*)\s*(.*)$/s.exec(line) ?? [];
  const command = Object.hasOwn(slashCommands, name) ? slashCommands[name] : undefined;
  if (command === undefined) throw new CliError(`there is no command ${name}.${didYouMean(name, Object.keys(slashCommands))}`, 2, '/help lists all; put a blank before the slash to send it to the model.');
  return command.run(argument.trim(), context);
}

const keyHelp: readonly (readonly [keys: string, meaning: string])[] = [
  ['Enter', 'send; during a turn the model reads it with its next step'],
  ['Alt-Enter, Ctrl-J, \\ Enter', 'a new line'],
  ['Tab', 'complete a command or an @file; @file attaches the file'],
  ['Up, Down, Ctrl-R', 'earlier messages; search them'],
  ['Ctrl-G', 'edit the message in $EDITOR'],
  ['Shift-Tab', 'the next permission mode: ask, auto-edit, read-only'],
  ['Ctrl-O', 'the last results in full; during a turn, what running tools print'],
  ['Esc, Ctrl-C', 'stop the turn; at the prompt Ctrl-C clears the line, twice leaves'],
  ['Ctrl-D', 'leave'],
];

function listCommands(terminal: Terminal): SlashOutcome {
  const list = (rows: readonly (readonly [string, string])[]): void => twoColumns(rows, terminal.columns, terminal.colors.bold).forEach((line) => terminal.note(line));
  list(Object.entries(slashCommands).map(([name, { help }]) => [name, help]));
  terminal.note('');
  list(keyHelp);
  return stay;
}

function listTools({ terminal, runtime }: SlashContext): SlashOutcome {
  const { colors, columns } = terminal;
  const paint = (head: string): string => head.replace(/\[.*\]$/, colors.dim).replace(/^\S+/, colors.bold);
  const rows = runtime.tools.map(({ name, scopes, description }) => [scopes.length === 0 ? name : `${name} [${scopes.join(', ')}]`, sanitiseLine(firstSentence(description))] as const);
  twoColumns(rows, columns, paint).forEach((line) => terminal.note(line));
  return say(terminal, 'haft tools list --format openai shows them as the model gets them.');
}

function model(argument: string, { terminal, log }: SlashContext): SlashOutcome {
  return argument === '' ? say(terminal, log.model) : { then: 'model', model: argument };
}

function listRules({ terminal, runtime: { permission } }: SlashContext): SlashOutcome {
  terminal.tell(describeMode(permission.policy.mode));
  for (const { verdict, rule, source } of permission.policy.rules) terminal.tell(sanitiseLine(`${verdict} ${rule.text} (${describeSource(source)})`));
  for (const { id, rule, scope } of permission.grants.list()) terminal.tell(sanitiseLine(`allow ${rule} (grant ${id}, ${scope}; /revoke ${id} takes it back)`));
  return stay;
}

function mode(argument: string, { terminal, runtime: { permission } }: SlashContext): SlashOutcome {
  const chosen = modeNames.find((name) => name === argument);
  if (argument !== '' && chosen === undefined) throw new CliError(`there is no mode ${argument}.${didYouMean(argument, modeNames)}`, 2, `Modes: ${modeNames.join(', ')}.`);
  if (chosen !== undefined) permission.policy.setMode(chosen);
  return say(terminal, describeMode(permission.policy.mode));
}

async function revoke(id: string, { terminal, runtime: { permission } }: SlashContext): Promise<SlashOutcome> {
  if (id === '') return say(terminal, 'Which grant? /permissions lists them: /revoke g…');
  return say(terminal, (await permission.grants.revoke(id)) ? `revoked ${id}` : `There is no grant ${id}; /permissions lists them.`);
}

function sessions(argument: string, { terminal, runtime, agent }: SlashContext): SlashOutcome {
  if (argument !== '') return { then: 'resume', id: argument };
  const found = openSessionStore().list().filter(({ cwd }) => cwd === runtime.resolved.root);
  for (const session of found.slice(0, 20)) {
    const mark = session.id === agent.session.id ? '*' : ' ';
    terminal.note(cutToWidth(sanitiseLine(`${mark} ${session.id}  ${localTime(session.updatedMs)}  ${titleOf(session)}`), terminal.columns));
  }
  if (found.length > 20) terminal.note(terminal.colors.dim(`… ${found.length - 20} more: haft sessions list`));
  return found.length === 0 ? say(terminal, 'No stored conversations of this folder yet.') : stay;
}

function compact({ terminal, agent }: SlashContext): SlashOutcome {
  if (agent.session.messages.length === 0) return say(terminal, 'There is nothing to compact yet.');
  terminal.tell('With your next message older ones become notes, if the conversation is long enough for that to help.');
  return { then: 'compact' };
}

function details({ terminal, log }: SlashContext): SlashOutcome {
  for (const line of detailLines(log, terminal)) terminal.note(line);
  return stay;
}

/** The tool results of the last turn, each with its title. */
export function detailLines({ lastResults }: ConversationLog, { colors }: Terminal): string[] {
  if (lastResults.length === 0) return [colors.dim('The last turn called no tool.')];
  return lastResults.flatMap(({ title, result }) => [colors.bold(title), ...resultDetails(result, colors, true)]);
}

function say(terminal: Terminal, text: string): SlashOutcome {
  terminal.tell(sanitiseLine(text));
  return stay;
}
