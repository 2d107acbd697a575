import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Command, Option } from 'commander';
import type { Client } from '../../../../functions/web/browser/client/client.ts';
import type { Data } from '../../../../functions/web/browser/client/endpoints.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { describeAudience } from '../audience.ts';
import { connect, connectIfPossible } from '../connection.ts';
import { usageError } from '../error-mapping.ts';
import { parseCount } from '../expiry.ts';
import { assertFree, fetchFile, findOnlyFile, type SavedFile, saveFiles } from '../folder/save.ts';
import { interruption as signal } from '../interruption.ts';
import { getSealed } from '../sealed/get.ts';
import { keyRequired, readKeyed, wholeLink } from '../sealed/link.ts';
import {
  note,
  print,
  printFields,
  printJson,
  printStream,
  printTable,
  printText,
} from '../terminal/output.ts';
import { type FullShare, readAny, readOwn, toShareName, toSource } from './reading.ts';

type ListedShare = Extract<Data<'GET /api/share'>, { items: unknown }>['items'][number];

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
  readonly passphrase?: string | true;
  readonly output?: string;
  readonly json?: true;
}

const toViews = ({ views, viewLimit }: ListedShare): string =>
  viewLimit === null ? String(views) : `${views}/${viewLimit}`;

/** Says how a share is sealed; nothing of one that isn't. */
const describeSeal = ({ sealed, passphrase, sealedBytes = 0 }: ListedShare): string | undefined =>
  sealed
    ? `yes, ${passphrase ? 'with' : 'without'} a passphrase, ${formatBytes(sealedBytes)}`
    : undefined;

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
          `${describeAudience(share)}${share.sealed ? ', sealed' : ''}`,
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
        sealed: describeSeal(share),
        audience: describeAudience(share),
        people: share.readerList
          ?.map(({ name, email }) => (email === undefined ? name : `${name} <${email}>`))
          .join(', '),
        ...{ created: createdAt, expires: expiresAt, 'first viewed': firstViewedAt },
      });
    });

  program
    .command('get')
    .argument('<share>', 'an id, a name or an address; of a sealed share its whole link, in quotes')
    .description(
      'print the source of a share, or the file that it is: your own without a view, another with one',
    )
    .option('-p, --password <password>', 'its password')
    .option('--passphrase [text]', 'of a sealed share; asked for if it is left out')
    .option('-o, --output <path>', 'save it here: its files as a new folder, or its source')
    .option('--json', 'print JSON')
    .action(async (given: string, options: GetOptions) => {
      const { password, passphrase, output, json } = options;
      // Before a view is counted in vain.
      if (output !== undefined) await assertFree(output);
      const keyed = readKeyed(given);
      if (keyed && password !== undefined) {
        throw usageError('A sealed share has no password: its key is in the link.');
      }
      if (keyed) return getSealed(keyed, options);
      if (passphrase !== undefined)
        throw usageError(`--passphrase is of a sealed share. ${wholeLink}`);
      const headers = password === undefined ? {} : { 'x-share-password': password };
      const share = await readAny(await connectIfPossible(), given, headers);
      if (share.sealed && !json) throw keyRequired();
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
