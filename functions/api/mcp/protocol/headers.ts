import type { Message } from './message.ts';
import { type ProtocolError, refused } from './protocol-error.ts';

/** The headers that repeat what the body says, without spaces around them. */
export interface ProtocolHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** Reads the headers of a request, by their lower-case names. */
export const readHeaders = (
  headers: Readonly<Record<string, string | undefined>>,
): ProtocolHeaders => ({
  version: headers['mcp-protocol-version']?.trim(),
  method: headers['mcp-method']?.trim(),
  name: headers['mcp-name']?.trim(),
});

/** The parameter that `Mcp-Name` repeats, by method. */
const namedBy = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** Creates the error for a header that doesn't say what the body says. */
export const headerMismatch = (message: string): ProtocolError =>
  refused('headerMismatch', `Header mismatch: ${message}.`);

/** What does not fit a header as it is, is sent in Base64 within these marks. */
const encoded = /^=\?base64\?(.*)\?=$/;

/** Returns the value of an `Mcp-Name` header, or undefined if its Base64 is not that of a text. */
const decode = (value: string): string | undefined => {
  const base64 = encoded.exec(value)?.[1];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, 'base64');
  const text = bytes.toString();
  return bytes.toString('base64') === base64 && Buffer.from(text).equals(bytes) ? text : undefined;
};

const assertName = ({ method, params }: Message, given: string | undefined): void => {
  const field = namedBy.get(method);
  const expected = field === undefined ? undefined : params[field];
  // Without the parameter, the method refuses it.
  if (typeof expected !== 'string') return;
  if (given === undefined) throw headerMismatch('the header Mcp-Name is missing');
  const name = decode(given);
  if (name === undefined) throw headerMismatch('Mcp-Name has invalid Base64');
  if (name !== expected) throw headerMismatch(`Mcp-Name must be params.${field} of the body`);
};

/**
 * Checks that headers and body of a stateless request agree, because proxies may decide by the former.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 * @throws ProtocolError with status 400
 */
export const assertHeadersMatch = (message: Message, headers: ProtocolHeaders): void => {
  const isNotification = message.id === undefined;
  if (headers.version === undefined && !isNotification) {
    throw headerMismatch('the header MCP-Protocol-Version is missing');
  }
  if (headers.method === undefined && !isNotification) {
    throw headerMismatch('the header Mcp-Method is missing');
  }
  if (headers.method !== undefined && headers.method !== message.method) {
    throw headerMismatch('Mcp-Method must be the method of the body');
  }
  if (!isNotification) assertName(message, headers.name);
};
