import { isIP } from 'node:net';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';

/** Where a request goes. */
export interface Destination {
  /** A name in lower-case ASCII, or an address without brackets. */
  readonly host: string;
  /** The `Host` header. */
  readonly authority: string;
  /** Whether `host` is an address, so that nothing resolves it. */
  readonly isAddress: boolean;
  /** Path and query. */
  readonly path: string;
}

/** Names that DNS doesn't have, or that stand for hosts nearby (RFC 6761, 6762, 7686, 8375, 9476; ICANN's `internal`). */
const localNames = [
  'alt',
  'arpa',
  'example',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
  'test',
];

const name = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

const isPublicName = (host: string): boolean =>
  host.length <= 253 && name.test(host) && !localNames.includes(host.split('.').at(-1) ?? '');

const problemOf = (address: string, url: URL): string | undefined => {
  if (url.protocol !== 'https:') return 'must start with https://';
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password';
  if (url.port !== '') return 'must have no port, as only 443 is asked';
  // An empty fragment is none to the parser.
  return address.includes('#') ? 'must have no fragment' : undefined;
};

/**
 * Reads where a request to an address goes, without asking the network. The URL parser brings hosts to one form first: names to
 * ASCII, and numbers in any base to an IPv4 address.
 * @throws OutboundError address, not-public
 */
export const readDestination = (address: string): Destination => {
  const url = URL.parse(address);
  if (!url) throw new OutboundError('address', 'must be an https address');
  const problem = problemOf(address, url);
  if (problem !== undefined) throw new OutboundError('address', problem);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isAddress = isIP(host) !== 0;
  if (isAddress ? !isPublicAddress(host) : !isPublicName(host)) {
    throw new OutboundError('not-public', 'must have a host on the public internet');
  }
  return { host, authority: url.host, isAddress, path: `${url.pathname}${url.search}` };
};
