/** Whether an IP address is one of the public internet: everything that a router at home or in a cloud answers itself is not. */
import { BlockList, isIP, isIPv4 } from 'node:net';

/** IANA special-purpose registries (RFC 6890 and its updates), multicast included. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24',
  '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4',
];
/** Inside 2000::/3, the only space that is given out. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const special = new BlockList();
for (const [subnets, family] of [[SPECIAL_IPV4, 'ipv4'], [SPECIAL_IPV6, 'ipv6']] as const) {
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/');
    special.addSubnet(address, Number(prefix), family);
  }
}
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** `address` in any textual form that `net.isIP` knows; what is not an address is not public. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  // IPv4 inside IPv6 (mapped, translated) lies outside 2000::/3, or in 2002::/16.
  return global6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
