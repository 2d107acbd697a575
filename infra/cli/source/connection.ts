import { type Client, createClient } from '../../../functions/web/browser/client/client.ts';
import type { Tokens } from '../../../functions/web/browser/client/session.ts';
import { readConfig } from './config.ts';
import { CliError, usageError } from './error-mapping.ts';

/** The service of `npm start`. */
const localUrl = 'http://localhost:3000';

/** @throws CliError for an address that is none of a service */
export const toOrigin = (text: string): string => {
  const { protocol, origin } = URL.parse?.(text) ?? (URL.canParse(text) ? new URL(text) : {});
  if (protocol === 'https:' || protocol === 'http:') return origin ?? '';
  throw usageError(
    `${text} is no address of a service: it must be such as https://share.example.com.`,
  );
};

/** Where the service is. */
export const findUrl = async (): Promise<string> =>
  toOrigin(process.env['HANDBILL_URL'] || (await readConfig())?.url || localUrl);

let usedUrl = 'The service';

/** Returns the address that was connected to, for messages. */
export const getUsedUrl = (): string => usedUrl;

const createClientOf = (url: string, first: Tokens | undefined): Client => {
  usedUrl = url;
  let tokens = first;
  const write = (renewed: Tokens | undefined): void => {
    tokens = renewed;
  };
  return createClient({ baseUrl: url, tokens: { read: () => tokens, write } });
};

/** Creates a client without credentials. */
export const connectAsNobody = (url: string): Client => createClientOf(url, undefined);

/** Whether a host, as URLs write it, is this machine: all of 127.0.0.0/8, and no name that only begins like one. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * Asserts that nobody on the way can read what is sent to a service.
 * @throws CliError for plain http, unless the service is on this machine
 */
export const assertPrivate = (url: string): void => {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || isLoopback(hostname)) return;
  throw usageError(
    `${url} is not encrypted: a password or token is sent by https only, or to this machine.`,
  );
};

/**
 * Creates a client with tokens, which are sent to this origin alone: the client follows no redirect.
 * @throws CliError if others could read them
 */
export const connectWith = (url: string, tokens: Tokens): Client => {
  assertPrivate(url);
  return createClientOf(url, tokens);
};

/** Returns the token for a service. A saved one is sent to the service that it is of, never to another. */
export const findToken = async (url: string): Promise<string | undefined> => {
  const config = await readConfig();
  return process.env['HANDBILL_TOKEN'] || (config?.url === url ? config.token : undefined);
};

/** Creates a client that is signed in, if there is a token. */
export const connectIfPossible = async (): Promise<Client> => {
  const url = await findUrl();
  const token = await findToken(url);
  return token === undefined ? connectAsNobody(url) : connectWith(url, { accessToken: token });
};

/**
 * Creates a client that is signed in.
 * @throws CliError if there is no token
 */
export const connect = async (): Promise<Client> => {
  const url = await findUrl();
  const token = await findToken(url);
  if (token === undefined) throw new CliError(`Not signed in at ${url}: run handbill login.`);
  return connectWith(url, { accessToken: token });
};
