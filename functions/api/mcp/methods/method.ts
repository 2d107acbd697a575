import type { Actor } from '../../../../shared/auth/actor.ts';
import type { Invocation } from '../../../../shared/http/route.ts';
import type { Era } from '../protocol/eras.ts';
import type { Fields } from '../protocol/message.ts';
import { invalidParams } from '../protocol/protocol-error.ts';

/** Who calls a method, and by which request. */
export interface Caller {
  readonly actor: Actor;
  /** What the client calls itself. */
  readonly client: string;
  readonly invocation: Invocation;
}

/**
 * How long a client may keep a result (ms), and whether only for the token that asked. Part of results since 2026-07-28.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export interface Cache {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** A method of the protocol. */
export interface Method {
  readonly eras: readonly Era[];
  /** Of the methods whose results clients may keep. */
  readonly cache?: Cache;
  /** @throws ProtocolError */
  run(params: Fields, caller: Caller): Fields | Promise<Fields>;
}

export const bothEras: readonly Era[] = ['modern', 'legacy'];

/**
 * Returns a parameter that must be a text.
 * @throws ProtocolError
 */
export const readText = (params: Fields, name: string): string => {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw invalidParams(`${name} must be a text`);
};

/**
 * Checks that a list is asked for from its start, because it has one page.
 * @throws ProtocolError
 */
export const assertFirstPage = ({ cursor }: Fields): void => {
  if (cursor !== undefined) throw invalidParams('cursor must be a nextCursor of this list');
};
