// Node, the terminal and the variables that are meant for Haft.
import { ownVariableNames } from '../config/environment.js';
import type { Terminal } from '../output/terminal.js';
import { didYouMean } from '../text/did-you-mean.js';
import { type Finding, ok, problem, warning } from './check.js';

/** Read by other parts than the settings. */
const otherVariables = ['HAFT_HOME', 'HAFT_CONFIG', 'HAFT_TRUST', 'HAFT_SANDBOX'];
const leastNode = [20, 19] as const;

export function machineChecks(terminal: Terminal, env: Readonly<Record<string, string | undefined>> = process.env): Finding[] {
  return [checkNode(process.versions.node), checkTerminal(terminal, env), ...checkVariables(env)];
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  return enough ? ok('node', `${version}, ${process.platform} ${process.arch}`) : problem('node', `${version} is too old`, `Install Node ${leastNode.join('.')} or newer.`);
}

function checkTerminal(terminal: Terminal, env: Readonly<Record<string, string | undefined>>): Finding {
  const size = `${terminal.columns} columns, colours ${terminal.colors.enabled ? 'on' : 'off'}`;
  if (!terminal.interactive) return ok('terminal', `none here (input or output is no terminal), ${size}`);
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  if (!/utf-?8/i.test(locale)) return warning('terminal', `${size}, but the locale "${locale}" does not say UTF-8`, 'Set LANG=C.UTF-8 if wide characters look broken.');
  return ok('terminal', `${env.TERM ?? 'unknown'}, ${size}, ${locale}`);
}

function checkVariables(env: Readonly<Record<string, string | undefined>>): Finding[] {
  const known = [...ownVariableNames, ...otherVariables];
  const unknown = Object.keys(env).filter((name) => name.startsWith('HAFT_') && !known.includes(name));
  return unknown.map((name) => warning('environment', `${name} is set, but Haft does not read it.${didYouMean(name, known)}`, `Read are: ${known.filter((one) => one.startsWith('HAFT_')).join(', ')}.`));
}
