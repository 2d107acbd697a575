import { refused } from './protocol-error.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A request without an id is a notification, which gets no result. */
export interface Message {
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Fields;
}

/** Far deeper than the input of any tool. */
const maxDepth = 32;
/** Of an id or the name of a method. */
const maxNameLength = 256;

/** Returns whether this is a JSON object. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeperThan(one, levels - 1)));

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxNameLength;

const isId = (value: unknown): value is string | number =>
  (typeof value === 'string' && value.length <= maxNameLength) || Number.isSafeInteger(value);

const invalid = (message: string) => refused('invalidRequest', `Invalid request: ${message}.`);

/** Returns the id that a response to a body repeats, as far as it has one. */
export const findId = (body: unknown): string | number | undefined =>
  isObject(body) && 'method' in body && isId(body['id']) ? body['id'] : undefined;

/**
 * Parses the body of a request: one JSON-RPC request or notification.
 * @throws ProtocolError with status 400
 */
export const parseMessage = (body: unknown): Message => {
  if (Array.isArray(body)) throw invalid('batches are not supported; send one message a request');
  if (!isObject(body)) throw invalid('the body must be a JSON-RPC message');
  if (body['jsonrpc'] !== '2.0') throw invalid('jsonrpc must be "2.0"');
  const { id, method, params = {} } = body;
  if (!('method' in body) && ('result' in body || 'error' in body)) {
    throw invalid('responses are not accepted, because the service sends no requests');
  }
  if (!isName(method)) throw invalid(`method must have 1 to ${maxNameLength} characters`);
  if ('id' in body && !isId(id)) {
    throw invalid(`id must be an integer or a text of at most ${maxNameLength} characters`);
  }
  if (!isObject(params)) throw invalid('params must be an object');
  if (isDeeperThan(params, maxDepth)) {
    throw invalid(`params must not be nested more than ${maxDepth} levels deep`);
  }
  return { id: id as Message['id'], method, params };
};
