import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Command, Option } from 'commander';
import { ApiError } from '../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../functions/web/browser/client/client.ts';
import type { Data } from '../../../../functions/web/browser/client/endpoints.ts';
import { pickFile } from '../../../../shared/markdown/files/file-blocks.ts';
import { describeAudience } from '../audience.ts';
import { assertPrivate, connect, connectIfPossible, getUsedUrl } from '../connection.ts';
import { CliError } from '../error-mapping.ts';
import { parseCount } from '../expiry.ts';
import { assertFree, fetchFile, findOnlyFile, type SavedFile, saveFiles } from '../folder/save.ts';
import { interruption as signal } from '../interruption.ts';
import {
  note,
  print,
  printFields,
  printJson,
  printStream,
  printTable,
  printText,
} from '../terminal/output.ts';

/** A share with its content. */
export type FullShare = Extract<Data<'GET /api/share'>, { content: string }>;
type ListedShare = Extract<Data<'GET /api/share'>, { items: unknown }>['items'][number];

/** Returns the id or the name in an address of a share, or what was given. */
export const toShareName = (given: string): string => {
  const [, name] = given.match(/^https?:\/\/[^/]+\/s\/([^/?#]+)/) ?? [];
  return name ?? given;
};

/** Reads a share of the user, which counts no view. */
export const readOwn = async (client: Client, given: string): Promise<FullShare> => {
  const query = { id: toShareName(given), mine: 'true' } as const;
  return (await client.call('GET /api/share', { query, signal })) as FullShare;
};

/** Returns the exact text of the file that a share is, as `/raw` does, or else its content. */
const toSource = ({ language, content }: FullShare): string =>
  (language === 'markdown' ? pickFile(content, undefined)?.text : undefined) ?? content;

const readForeign = (client: Client, given: string, password: string | undefined) =>
  client.call('GET /api/share', {
    query: { id: toShareName(given) },
    headers: password === undefined ? {} : { 'x-share-password': password },
    signal,
  }) as Promise<FullShare>;

/** Reads a share: the user's own without a view, anybody else's with one. */
const readAny = async (client: Client, given: string, password?: string): Promise<FullShare> => {
  let isSignedOut = false;
  try {
    return await readOwn(client, given);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 401)) throw error;
    isSignedOut = error.status === 401;
  }
  if (password !== undefined) assertPrivate(getUsedUrl());
  return readForeign(client, given, password).catch((error: unknown) => {
    // To those who are signed out, a name of a share that isn't open to all looks like one that no share has.
    const isUnknown = isSignedOut && error instanceof ApiError && error.status === 404;
    throw isUnknown ? new CliError(`${error.message} ${onlyForSome}`) : error;
  });
};

const onlyForSome = 'If only some people can open it, run handbill login first.';

/** Prints or saves the file that a share is. */
const writeOnlyFile = async (
  { filesUrl = '' }: FullShare,
  file: SavedFile,
  output: string | undefined,
): Promise<void> => {
  const bytes = await fetchFile(filesUrl, file);
  if (output === undefined) await printStream(Readable.from([bytes]), signal);
  else await writeFile(output, bytes, { flag: 'wx' });
};

interface GetOptions {
  readonly password?: string;
  readonly output?: string;
  readonly json?: true;
}

const toViews = ({ views, viewLimit }: ListedShare): string =>
  viewLimit === null ? String(views) : `${views}/${viewLimit}`;

const list = async (client: Client, status: string | undefined, limit: number) => {
  const query = { mine: 'true', status } as never;
  const shares: ListedShare[] = [];
  for await (const share of client.items('GET /api/share', { query, maxItems: limit, signal })) {
    shares.push(share as ListedShare);
  }
  return shares;
};

/** Adds the commands about shares that exist. */
export const addSharesCommands = (program: Command): void => {
  program
    .command('list')
    .description('list your shares, the newest first')
    .addOption(
      new Option('--status <status>', 'only those').choices(['active', 'ended', 'taken-down']),
    )
    .option('--limit <n>', 'how many at most', parseCount, 20)
    .option('--json', 'print JSON')
    .action(async ({ status, limit, json }) => {
      const shares = await list(await connect(), status, limit);
      if (json) return printJson(shares);
      printTable(
        ['id', 'views', 'status', 'audience', 'expires', 'title'],
        shares.map((share) => [
          share.slug ?? share.id,
          toViews(share),
          share.status,
          describeAudience(share),
          share.expiresAt ?? '-',
          share.title ?? '',
        ]),
      );
    });

  program
    .command('show')
    .argument('<share>', 'an id, a name or an address')
    .description('show what is known of one of your shares')
    .option('--json', 'print JSON')
    .action(async (given: string, { json }: { json?: true }) => {
      const share = await readOwn(await connect(), given);
      if (json) return printJson(share);
      const { url, title, language, status, expiresAt, createdAt, firstViewedAt, slug } = share;
      printFields({
        ...{ url, title, id: share.id, slug, language, status, views: toViews(share) },
        password: share.protected ? 'yes' : 'no',
        audience: describeAudience(share),
        people: share.readerList
          ?.map(({ name, email }) => (email === undefined ? name : `${name} <${email}>`))
          .join(', '),
        ...{ created: createdAt, expires: expiresAt, 'first viewed': firstViewedAt },
      });
    });

  program
    .command('get')
    .argument('<share>', 'an id, a name or an address')
    .description(
      'print the source of a share, or the file that it is: your own without a view, another with one',
    )
    .option('-p, --password <password>', 'its password')
    .option('-o, --output <path>', 'save it here: its files as a new folder, or its source')
    .option('--json', 'print JSON')
    .action(async (given: string, { password, output, json }: GetOptions) => {
      // Before a view is counted in vain.
      if (output !== undefined) await assertFree(output);
      const share = await readAny(await connectIfPossible(), given, password);
      const { files } = share;
      const only = files && findOnlyFile({ ...share, files });
      if (json) printJson(share);
      else if (only) await writeOnlyFile(share, only, output);
      else if (output === undefined) {
        printText(toSource(share));
        if (files) note('It has files: --output <folder> saves them.');
      } else if (files) await saveFiles({ ...share, files }, output);
      else await writeFile(output, toSource(share), { flag: 'wx' });
    });

  program
    .command('rm')
    .argument('<shares...>', 'ids, names or addresses')
    .description('delete shares')
    .action(async (shares: string[]) => {
      const client = await connect();
      for (const given of shares) {
        const name = toShareName(given);
        // Names in addresses have lower case alone; an id that looks like one doesn't exist.
        const id = /[A-Z_]/.test(name) ? name : (await readOwn(client, name)).id;
        await client.call('DELETE /api/share/{id}', { params: { id }, signal });
        print(`Deleted ${name}`);
      }
    });
};
