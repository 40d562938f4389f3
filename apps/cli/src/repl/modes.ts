// The permission modes as a conversation tells and changes them.
import type { PermissionMode } from '@haft/core';

const meanings: Readonly<Record<PermissionMode, string>> = {
  ask: 'writing, commands and the network are asked',
  'auto-edit': 'writing inside the workspace is allowed, the rest is asked',
  'read-only': 'nothing but reading, whatever the rules allow',
  unattended: 'what would be asked is refused',
};

/** Those that a key goes through; a mode for nobody at the terminal is none of them. */
const round: readonly PermissionMode[] = ['ask', 'auto-edit', 'read-only'];

export const modeNames = Object.keys(meanings) as PermissionMode[];

export function nextMode(mode: PermissionMode): PermissionMode {
  return round[(round.indexOf(mode) + 1) % round.length] ?? 'ask';
}

export function describeMode(mode: PermissionMode): string {
  return `mode ${mode}: ${meanings[mode]}`;
}
