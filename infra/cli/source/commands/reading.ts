import { ApiError } from '../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../functions/web/browser/client/client.ts';
import type { Data } from '../../../../functions/web/browser/client/endpoints.ts';
import { pickFile } from '../../../../shared/markdown/files/file-blocks.ts';
import { assertPrivate, getUsedUrl } from '../connection.ts';
import { CliError } from '../error-mapping.ts';
import { interruption as signal } from '../interruption.ts';

/** A share with its content. */
export type FullShare = Extract<Data<'GET /api/share'>, { content: string }>;

/** Returns the id or the name in an address of a share, or what was given. What is behind a `#` may be a key, and is never sent. */
export const toShareName = (given: string): string => {
  const [, name] = given.match(/^https?:\/\/[^/]+\/s\/([^/?#]+)/) ?? [];
  return name ?? given.replace(/#.*$/s, '');
};

/** Reads a share of the user, which counts no view. */
export const readOwn = async (client: Client, given: string): Promise<FullShare> => {
  const query = { id: toShareName(given), mine: 'true' } as const;
  return (await client.call('GET /api/share', { query, signal })) as FullShare;
};

/** Returns the exact text of the file that a share is, as `/raw` does, or else its content. */
export const toSource = ({ language, content }: Pick<FullShare, 'language' | 'content'>): string =>
  (language === 'markdown' ? pickFile(content, undefined)?.text : undefined) ?? content;

/** What opens a share of somebody else. */
type Opening = Readonly<
  Partial<Record<'x-share-password' | 'x-share-proof' | 'x-share-claim', string>>
>;

const readForeign = (client: Client, given: string, headers: Opening) =>
  client.call('GET /api/share', {
    query: { id: toShareName(given) },
    headers,
    signal,
  }) as Promise<FullShare>;

const onlyForSome = 'If only some people can open it, run handbill login first.';

/** Reads a share: the user's own without a view, anybody else's with one, which the headers open. */
export const readAny = async (
  client: Client,
  given: string,
  headers: Opening = {},
): Promise<FullShare> => {
  let isSignedOut = false;
  try {
    return await readOwn(client, given);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 401)) throw error;
    isSignedOut = error.status === 401;
  }
  if (Object.keys(headers).length > 0) assertPrivate(getUsedUrl());
  return readForeign(client, given, headers).catch((error: unknown) => {
    // To those who are signed out, a name of a share that isn't open to all looks like one that no share has.
    const isUnknown = isSignedOut && error instanceof ApiError && error.status === 404;
    throw isUnknown ? new CliError(`${error.message} ${onlyForSome}`) : error;
  });
};
