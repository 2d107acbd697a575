import { isIPv6 } from 'node:net';

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

const groups = (part: string): string[] => part.split(':').filter((group) => group !== '');

/**
 * The network that an address stands for where requests are counted: an IPv4 address by itself, of an IPv6 address its
 * /64, because a single machine has all of that (decisions §1, Rate limits).
 */
export const networkOf = (address: string): string => {
  const [bare = ''] = address.split('%');
  const ipv4 = bare.match(mapped)?.[1];
  if (ipv4 !== undefined || !isIPv6(bare)) return ipv4 ?? bare;
  // The URL parser writes every spelling of an address in one way, with its longest run of zeros as `::`.
  const [left = '', right] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const [head, tail] = [groups(left), groups(right ?? '')];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
};
