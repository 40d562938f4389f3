/** What "always" would store for a claim: the narrowest rule that covers it, shown word by word before it is stored. */
import type { ToolDefinition } from '../tool/tool.js';
import { formatArgv } from './argv-pattern.js';
import type { Claim } from './claim.js';
import { escapePath } from './path-pattern.js';
import { parseRule } from './rule.js';
import { allows } from './rule-match.js';

/** Undefined where no lasting rule is offered: opaque commands, secrets, tools that are dangerous as a whole, odd names. */
export function suggestRule(tool: ToolDefinition, claim: Claim): string | undefined {
  const pattern = patternFor(claim);
  if (pattern === undefined && (claim.access || tool.scopes.includes('dangerous'))) return undefined;
  const text = pattern === undefined ? tool.name : `${tool.name}(${pattern})`;
  return coversExactly(text, tool, claim) ? text : undefined;
}

function patternFor({ access }: Claim): string | undefined {
  switch (access?.kind) {
    case 'path':
    case 'glob':
      return escapePath(access.resource);
    case 'url':
      return access.resource;
    case 'command':
      return access.argv && formatArgv(access.argv);
    case 'secret':
    case undefined:
      return undefined;
  }
}

/** A name with blanks at its ends or control characters cannot be written as a rule; then none is offered. */
function coversExactly(text: string, tool: ToolDefinition, claim: Claim): boolean {
  try {
    return allows(parseRule(text), tool, claim);
  } catch {
    return false;
  }
}
