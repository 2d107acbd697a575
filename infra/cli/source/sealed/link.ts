import type { Client } from '../../../../functions/web/browser/client/client.ts';
import { findLinkFragment } from '../../../../functions/web/browser/sealed/link.ts';
import { toShareName } from '../commands/reading.ts';
import {
  assertPrivate,
  connect,
  connectAsNobody,
  connectIfPossible,
  findUrl,
  toOrigin,
} from '../connection.ts';
import { CliError, usageError } from '../error-mapping.ts';

/** A sealed share as a person names it: what may be sent, and the key, which never is. */
export interface KeyedShare {
  /** The id or name. */
  readonly name: string;
  /** The service of its address; absent if only the name was given. */
  readonly origin?: string;
  readonly fragment: string;
}

/** What opens a sealed share. */
export const wholeLink = 'Give its whole link with the key behind the #, in quotes.';

/** Creates the error for a sealed share that is named without its key. */
export const keyRequired = (): CliError => new CliError(`The share is sealed. ${wholeLink}`);

/** Whether what is behind a `#` is to be a key, and not a place on a page. */
const looksLikeKey = /#[kp]\d\./;

/**
 * Reads the whole link of a sealed share, or its name with the key. Returns `undefined` for what has no key.
 * @throws CliError for a key that is incomplete, which isn't repeated in the message
 */
export const readKeyed = (given: string): KeyedShare | undefined => {
  if (!looksLikeKey.test(given)) return undefined;
  const [address = '', ...behind] = given.trim().split('#');
  const fragment = behind.length === 1 ? findLinkFragment(given) : undefined;
  if (address === '' || fragment === undefined) {
    throw usageError(
      'The key behind the # is incomplete or changed. Copy the whole link again, and put it in quotes.',
    );
  }
  const isUrl = /^[a-z]+:\/\//i.test(address);
  return { name: toShareName(address), ...(isUrl && { origin: toOrigin(address) }), fragment };
};

/**
 * Connects to the service of a link: signed in if that is the one that the token is of, else as nobody.
 * @throws CliError if others could read what is sent
 */
export const connectToRead = async ({ origin }: KeyedShare): Promise<Client> => {
  if (origin === undefined || origin === (await findUrl())) return connectIfPossible();
  assertPrivate(origin);
  return connectAsNobody(origin);
};

/** @throws CliError for a link of another service than that of the token */
export const assertOf = ({ origin }: KeyedShare, url: string): void => {
  if (origin === undefined || origin === url) return;
  throw new CliError(`The link is of ${origin}, and you use ${url}: run handbill login ${origin}.`);
};

/** Connects to change a share. @throws CliError as `assertOf`, and if there is no token */
export const connectToChange = async (keyed: KeyedShare): Promise<Client> => {
  assertOf(keyed, await findUrl());
  return connect();
};
