// Host rules and public addresses.
import { describe, expect, test } from '@jest/globals';
import { canonicalHost, matchingRule, parseHostRule } from './host-rule.js';
import { isPublicAddress } from './public-address.js';

const allows = (rule: string, host: string, port = 443): boolean => matchingRule([parseHostRule(rule)], host, port) !== undefined;

describe('a rule', () => {
  test.each([
    ['example.org', 'example.org', 443, true], ['example.org', 'EXAMPLE.org.', 80, true], ['example.org', 'example.org', 8443, false], ['example.org', 'a.example.org', 443, false],
    ['example.org', 'notexample.org', 443, false], ['example.org', 'example.org.evil.net', 443, false], ['*.example.org', 'a.b.example.org', 443, true], ['*.example.org', 'example.org', 443, false],
    ['*.example.org', 'evilexample.org', 443, false], ['example.org:8443', 'example.org', 8443, true], ['example.org:8443', 'example.org', 443, false], ['[::1]:3000', '::1', 3000, true],
    ['127.0.0.1:3000', '127.0.0.1', 3000, true], ['127.0.0.1:3000', '127.1', 3000, false], ['example.org', 'example.org\0.evil.net', 443, false],
  ])('%s: %s:%i → %s', (rule, host, port, expected) => {
    expect(allows(rule, host, port)).toBe(expected);
  });

  test.each(['', '*', '*.', 'http://example.org', 'a b', 'example.org:0', 'example.org:70000', '-a.org', '*.10.0.0.1', 'a..b', '0x7f.1', 'user@example.org', '*.*.org', 'example.org/x'])('%j is refused', (rule) => {
    expect(() => parseHostRule(rule)).toThrow();
  });
});

test.each(['0x7f000001', '2130706433', '0177.0.0.1', '127.1', '1.2.3.4.5', 'a_b.org', 'ex ample', `${'a'.repeat(64)}.org`])('%s is neither a name nor an address', (host) => {
  expect(canonicalHost(host)).toBeUndefined();
});

describe('public addresses', () => {
  test.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    '127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1',
    '::1', '::', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001::1', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1', '::127.0.0.1', 'localhost', '127.1', '',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
