import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * All of IPv4 that is no public host: IANA's special-purpose registry, whether globally reachable or not, as nobody has a host
 * there, and multicast. Clouds have their metadata in 169.254.0.0/16, 100.64.0.0/10 and 192.0.0.0/24.
 */
const specialV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * The part of IPv6 in which hosts have public addresses. What carries an IPv4 address (mapped, compatible, NAT64), and local
 * addresses are outside.
 */
const globalV6 = ['2000::/3'];

/** Within it: protocol assignments (with Teredo, benchmarking, ORCHID), documentation, 6to4, AS112. */
const specialV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const listOf = (family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [start = '', length] = network.split('/');
    list.addSubnet(start, Number(length), family);
  }
  return list;
};

const makeLists = () => ({
  specialV4: listOf('ipv4', specialV4),
  globalV6: listOf('ipv6', globalV6),
  specialV6: listOf('ipv6', specialV6),
});

let lists: ReturnType<typeof makeLists> | undefined;

/**
 * Whether a text is an IPv4 address (four decimal numbers) or an IPv6 address without a zone, of a host on the internet
 * (decisions.md#outbound-requests).
 */
export const isPublicAddress = (address: string): boolean => {
  lists ??= makeLists();
  if (isIPv4(address)) return !lists.specialV4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return lists.globalV6.check(address, 'ipv6') && !lists.specialV6.check(address, 'ipv6');
};
