import { assertHeadersMatch, headerMismatch, type ProtocolHeaders } from './headers.ts';
import { type Fields, isObject, type Message } from './message.ts';
import { type ProtocolError, refused } from './protocol-error.ts';

/**
 * How a client speaks: `modern` says version and client in each request, `legacy` begins with `initialize`.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
export type Era = 'modern' | 'legacy';

/** The versions whose requests say their version. */
export const modernVersions = ['2026-07-28'] as const;

/** The versions that begin with `initialize`, the newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18'] as const;

/** Names in the `_meta` of a request or a result. */
export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

/** Of a version that is repeated in an error. */
const maxVersionLength = 64;

const includes = (versions: readonly string[], version: string): boolean =>
  versions.includes(version);

const unsupported = (requested: string, supported: readonly string[]): ProtocolError =>
  refused('unsupportedVersion', `Unsupported protocol version: use ${supported.join(' or ')}.`, {
    supported,
    requested,
  });

const invalidMeta = (message: string): ProtocolError =>
  refused('invalidParams', `Invalid params._meta: ${message}.`);

/** Returns the `_meta` of a message, which says what a session said before. */
export const getMeta = ({ params }: Message): Fields =>
  isObject(params['_meta']) ? params['_meta'] : {};

/** Returns what the client calls itself in the `_meta` of a message, if it does. */
export const findClientName = (message: Message): string | undefined => {
  const info = getMeta(message)[metaKeys.clientInfo];
  const name = isObject(info) ? info['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
};

const assertMeta = (meta: Fields, isNotification: boolean): void => {
  const { version, clientInfo, clientCapabilities } = metaKeys;
  const claimed = meta[version];
  if (typeof claimed !== 'string' || claimed.length > maxVersionLength) {
    throw invalidMeta(`${version} must be a date such as ${modernVersions[0]}`);
  }
  if (isNotification) return;
  if (!isObject(meta[clientCapabilities])) {
    throw invalidMeta(`${clientCapabilities} must be an object`);
  }
  const info = meta[clientInfo];
  const isInfo = isObject(info) && typeof info['name'] === 'string';
  if (info !== undefined && !isInfo) throw invalidMeta(`${clientInfo} must be an object with name`);
};

/** A handshake may name an older version anywhere; only one that claims a modern version is none. */
const isHandshake = ({ method }: Message, claimed: unknown): boolean =>
  method === 'initialize' && !(typeof claimed === 'string' && includes(modernVersions, claimed));

/**
 * Decides how to answer a message, by its body; the headers must agree with it.
 * @throws ProtocolError with status 400
 */
export const getEra = (message: Message, headers: ProtocolHeaders): Era => {
  const meta = getMeta(message);
  const claimed = meta[metaKeys.version];
  const { version } = headers;
  const isModernHeader = version !== undefined && includes(modernVersions, version);
  if (isHandshake(message, claimed)) {
    if (!isModernHeader) return 'legacy';
    throw headerMismatch(`initialize is no request of ${version}`);
  }
  if (metaKeys.version in meta) {
    assertMeta(meta, message.id === undefined);
    const requested = String(claimed);
    if (version !== undefined && version !== requested) {
      throw headerMismatch('MCP-Protocol-Version must be the version in params._meta');
    }
    if (!includes(modernVersions, requested)) throw unsupported(requested, modernVersions);
    assertHeadersMatch(message, headers);
    return 'modern';
  }
  if (isModernHeader) {
    if (message.id !== undefined) throw invalidMeta(`${metaKeys.version} is missing`);
    assertHeadersMatch(message, headers);
    return 'modern';
  }
  if (version === undefined || includes(legacyVersions, version)) return 'legacy';
  throw unsupported(version, [...modernVersions, ...legacyVersions]);
};
