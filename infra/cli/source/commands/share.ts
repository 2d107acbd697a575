import { type Command, Option } from 'commander';
import type { Client } from '../../../../functions/web/browser/client/client.ts';
import type { Data, Options } from '../../../../functions/web/browser/client/endpoints.ts';
import {
  type Audience,
  type AudienceOptions,
  addAudienceOptions,
  readAudience,
} from '../audience.ts';
import { connect } from '../connection.ts';
import { createWhole } from '../creation.ts';
import { usageError } from '../error-mapping.ts';
import { parseCount, parseExpiry } from '../expiry.ts';
import { copy, open } from '../terminal/desktop.ts';
import { note, print, printJson } from '../terminal/output.ts';
import { type ContentOptions, readContent } from './content.ts';

type Input = Options<'POST /api/share'>['body'];
type Created = Data<'POST /api/share'>;

interface ShareOptions extends ContentOptions, AudienceOptions {
  readonly title?: string;
  readonly password?: string;
  readonly randomPassword?: true;
  readonly views?: number;
  readonly expires?: ReturnType<typeof parseExpiry>;
  readonly slug?: string;
  readonly open?: true;
  readonly copy?: true;
  readonly json?: true;
}

const createShare = (client: Client, body: Input): Promise<Created> =>
  createWhole(
    (sending) => client.call('POST /api/share', { body, ...sending }),
    ({ id }) => client.call('DELETE /api/share/{id}', { params: { id } }),
  );

/** The password is in the first response alone; if that was lost, the share gets another one. */
const withPassword = async (client: Client, created: Created): Promise<Created> => {
  if (created.password !== undefined) return created;
  const params = { id: created.id };
  const { password } = await client.call('PUT /api/share/{id}', {
    params,
    body: { useRandomPassword: true },
  });
  return { ...created, ...(password !== undefined && { password }) };
};

const opensFor: Readonly<Partial<Record<Audience, string>>> = {
  private: 'Only you can open it.',
  people: 'Only you can open it until you choose people.',
  members: 'Everyone here can open it.',
};

/** Adds `share`. */
export const addShareCommand = (program: Command): void => {
  const command = program
    .command('share')
    .argument('[files...]', 'files to share; - or none reads the input')
    .description('share a text, and print its address')
    .option(
      '-t, --title <title>',
      'title; by default that of front matter, or the name of the file',
    )
    .option('-p, --password <password>', 'password of 6 letters or digits')
    .option('-r, --random-password', 'generate a password, and print it on a second line')
    .option('-n, --views <n>', 'how often it can be opened', parseCount)
    .option('-e, --expires <when>', 'when it ends: 90m, 12h, 2d, 1w or a time', parseExpiry);
  addAudienceOptions(command)
    .option('-s, --slug <name>', 'name in its address')
    .addOption(
      new Option('-l, --language <language>', 'show it as this, whatever its name').choices([
        'markdown',
        'html',
      ]),
    )
    .option('--name <file>', 'the name of a file that the input is')
    .option('--open', 'open it in the browser')
    .option('--copy', 'copy its address')
    .option('--json', 'print JSON')
    .action(async (paths: string[], options: ShareOptions) => {
      const { password, randomPassword, views, expires, slug } = options;
      if (password !== undefined && randomPassword) {
        throw usageError('Use either --password or --random-password.');
      }
      const audience = readAudience(options);
      const client = await connect();
      const content = await readContent(paths, options);
      const created = await createShare(client, {
        ...content,
        ...(options.title !== undefined && { title: options.title }),
        ...(password !== undefined && { password }),
        ...(randomPassword && { useRandomPassword: true }),
        ...(views !== undefined && { viewLimit: views }),
        ...(slug !== undefined && { slug }),
        ...audience,
        ...expires,
      });
      const shared = randomPassword ? await withPassword(client, created) : created;
      if (options.json) printJson(shared);
      else print([shared.url, ...(shared.password ? [shared.password] : [])].join('\n'));
      // What the service decides may be narrower than an address suggests.
      const decided = audience.audience === undefined && opensFor[created.audience];
      if (decided) note(decided);
      if (options.copy) await copy(shared.url);
      if (options.open) await open(shared.url);
    });
};
