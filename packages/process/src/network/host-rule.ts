/** One entry of the network allow-list: `example.org`, `*.example.org`, `example.org:8443`, `127.0.0.1:3000`, `[::1]:3000`. */
import { isIP } from 'node:net';

export interface HostRule {
  /** Lower case, without a trailing dot. */
  host: string;
  /** `*.` stood before it: any name below, not the name itself. */
  below: boolean;
  ports: readonly number[];
}

const WEB_PORTS = [80, 443];
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Without a port, 80 and 443. Throws an Error that says what is wrong. */
export function parseHostRule(text: string): HostRule {
  const [, name = '', port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(text.trim().toLowerCase()) ?? [];
  const below = name.startsWith('*.');
  const host = canonicalHost(below ? name.slice(2) : name);
  if (host === undefined || (below && isIP(host) !== 0)) throw new Error(`${JSON.stringify(text)} is no host of an allow-list: write example.org, *.example.org or example.org:8443.`);
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) throw new Error(`${JSON.stringify(text)}: ${port} is no port.`);
  return { host, below, ports: port === undefined ? WEB_PORTS : [Number(port)] };
}

/** A name or address in the one form that is compared; undefined for what is neither. Numbers in other bases (0x7f.1) are no addresses here. */
export function canonicalHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '').toLowerCase();
  if (isIP(bare) !== 0) return bare;
  const labels = bare.split('.');
  const looksNumeric = /^(?:0x[0-9a-f]*|\d+)$/.test(labels.at(-1) ?? '');
  return bare.length <= 253 && labels.every((label) => LABEL.test(label)) && !looksNumeric ? bare : undefined;
}

/** The rule that allows this host and port. */
export function matchingRule(rules: readonly HostRule[], host: string, port: number): HostRule | undefined {
  const asked = canonicalHost(host);
  if (asked === undefined) return undefined;
  return rules.find((rule) => rule.ports.includes(port) && (rule.below ? asked.endsWith(`.${rule.host}`) : asked === rule.host));
}
