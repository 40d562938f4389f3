/** URL patterns of rules: `host:*.example.org`, `host:example.org:8080`, `https://example.org`; matched against `scheme://host:port`. */
import { type WildcardElement, matchWildcard, parseWildcard } from './wildcard.js';

export interface OriginPattern {
  /** Absent: any. */
  scheme?: readonly WildcardElement[];
  host: readonly WildcardElement[];
  /** Absent: any. */
  port?: string;
}

export const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443', ws: '80', wss: '443', ftp: '21' };

const hostAndPort = /^(\[[0-9a-f:.]+\]|[^\s:/[\]@?#]+)(?::(\d{1,5}|\*))?\/?$/i;
const origin = /^([a-z][a-z0-9+.-]*):\/\/(.*):(\d+)$/;

/** Undefined when the text is not a URL pattern. A scheme without a port means the scheme's default port. */
export function parseOriginPattern(text: string): OriginPattern | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*|\*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined && !text.startsWith('host:')) return undefined;
  const rest = hostAndPort.exec(text.slice(scheme === undefined ? 'host:'.length : scheme.length + 3));
  if (!rest?.[1]) return undefined;
  const port = rest[2] ?? (scheme === undefined ? '*' : (defaultPorts[scheme] ?? '*'));
  return {
    host: parseWildcard(rest[1].toLowerCase()),
    ...(scheme !== undefined && scheme !== '*' && { scheme: parseWildcard(scheme) }),
    ...(port !== '*' && { port }),
  };
}

/** `resource` is the canonical `scheme://host:port`; anything else does not match. */
export function matchOrigin(pattern: OriginPattern, resource: string): boolean {
  const parts = origin.exec(resource);
  if (!parts) return false;
  const [, scheme = '', host = '', port = ''] = parts;
  if (pattern.scheme && !matchWildcard(pattern.scheme, scheme)) return false;
  if (pattern.port !== undefined && pattern.port !== port) return false;
  return matchWildcard(pattern.host, host);
}
