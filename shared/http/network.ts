import { isIPv4, isIPv6 } from 'node:net';

const groups = (part: string): string[] => part.split(':').filter((group) => group !== '');

/** Expands an IPv6 address to eight hexadecimal groups without leading zeros. */
const expand = (address: string): string[] => {
  // The URL parser normalizes every notation and writes the longest run of zeros as `::`.
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [head, tail] = [groups(left), groups(right)];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail];
};

/** Converts groups 7 and 8 of an IPv4-mapped address to IPv4 notation. */
const toIpv4 = (hex: readonly string[]): string =>
  hex
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');

/**
 * Returns the network that rate limits count: an IPv4 address (also when mapped to IPv6) or the /64 of an IPv6 address
 * (decisions.md#rate-limits).
 */
export const getNetwork = (address: string): string => {
  const [bare = ''] = address.split('%');
  if (!bare.includes(':') || !isIPv6(bare)) return bare;
  const all = expand(bare);
  const prefix = all.slice(0, 6).join(':');
  return prefix === '0:0:0:0:0:ffff' ? toIpv4(all.slice(6)) : `${all.slice(0, 4).join(':')}::/64`;
};

/**
 * Returns the wider network that usually stays the same when a provider assigns a new address: the /24 of an IPv4
 * address or the /48 of an IPv6 address.
 */
export const getWideNetwork = (address: string): string => {
  const network = getNetwork(address);
  if (isIPv4(network)) return `${network.split('.').slice(0, 3).join('.')}.0/24`;
  return network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network;
};

/** Returns the /48 of an IPv6 address, which one customer may have all of; `undefined` for any other address. */
export const getSite = (address: string): string | undefined => {
  const network = getWideNetwork(address);
  return network.endsWith('::/48') ? network : undefined;
};
