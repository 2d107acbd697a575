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
import { usageError } from '../error-mapping.ts';
import { parseCount, parseExpiry } from '../expiry.ts';
import { keyRequired } from '../sealed/link.ts';
import { shareSealed } from '../sealed/share.ts';
import { copy, open } from '../terminal/desktop.ts';
import { note, print, printJson } from '../terminal/output.ts';
import type { ContentOptions } from './content.ts';
import { readOwn } from './reading.ts';
import { changeShare, createShare } from './sending.ts';
import { readShared } from './shared.ts';

type Input = Options<'POST /api/share'>['body'];
type Created = Data<'POST /api/share'>;

interface ShareOptions extends ContentOptions, AudienceOptions {
  readonly main?: string;
  readonly update?: string;
  readonly sealed?: true;
  readonly passphrase?: string | true;
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

/** The password is in the first response alone; if that was lost, the share gets another one. */
const withPassword = async <Made extends Created>(client: Client, created: Made): Promise<Made> => {
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

/** Writes a time to the minute, such as `2026-11-30 12:00 UTC`. */
const describeTime = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

/** Finds a share to change, whatever its version: what is shared anew is the whole of it. */
const findOwn = async (client: Client, given: string): Promise<{ readonly id: string }> => {
  const { id, sealed } = await readOwn(client, given);
  if (sealed) throw keyRequired();
  return { id };
};

/** Returns the options of a share as the API takes them. */
const toFields = ({
  title,
  password,
  randomPassword,
  views,
  expires,
  slug,
  ...rest
}: ShareOptions) => {
  if (password !== undefined && randomPassword) {
    throw usageError('Use either --password or --random-password.');
  }
  return {
    ...(title !== undefined && { title }),
    ...(password !== undefined && { password }),
    ...(randomPassword && { useRandomPassword: true }),
    ...(views !== undefined && { viewLimit: views }),
    ...(slug !== undefined && { slug }),
    ...readAudience(rest),
    ...expires,
  } satisfies Partial<Input>;
};

/** Shares what the service can read. */
const shareOpenly = async (
  paths: readonly string[],
  options: ShareOptions,
  fields: ReturnType<typeof toFields>,
) => {
  const client = await connect();
  const content = await readShared(paths, options);
  const shared =
    options.update === undefined
      ? await createShare(client, content, fields)
      : await changeShare(client, await findOwn(client, options.update), content, fields);
  return options.randomPassword ? withPassword(client, shared) : shared;
};

/** Tells which files a share lacks, and once each what helps. */
const noteMissing = ({ missing = [] }: Pick<Created, 'missing'>): void => {
  for (const { path, from, line } of missing) note(`${path} is missing (${from}, line ${line})`);
  const advice = new Set(missing.flatMap((one) => one.advice ?? []));
  for (const one of advice) note(one);
};

/** Adds `share`. */
export const addShareCommand = (program: Command): void => {
  const command = program
    .command('share')
    .argument('[files...]', 'files, a folder or a ZIP to share; - or none reads the input')
    .description('share a text or files, and print the address')
    .option(
      '-t, --title <title>',
      'title; by default that of front matter, or the name of the file',
    )
    .option('-p, --password <password>', 'password of 6 letters or digits')
    .option('-r, --random-password', 'generate a password, and print it on a second line')
    .option('--sealed', 'encrypt it here: the service can’t read it, and the key is in the link')
    .option(
      '--passphrase [text]',
      'with --sealed: what readers type beside the link; asked for if it is left out',
    )
    .option('-n, --views <n>', 'how often it can be opened', parseCount)
    .option('-e, --expires <when>', 'when it ends: 90m, 12h, 2d, 1w or a time', parseExpiry);
  addAudienceOptions(command)
    .option('-s, --slug <name>', 'name in its address')
    .option('-m, --main <file>', 'the file that readers see first; shares all as files')
    .option('-u, --update <share>', 'change this share of yours instead; sends what has changed')
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
      const fields = toFields(options);
      const sealed = await shareSealed(paths, options, fields);
      const made = sealed?.made ?? (await shareOpenly(paths, options, fields));
      const link = sealed?.link ?? made.url;
      if (options.json) printJson({ ...made, url: link });
      else print([link, ...(made.password ? [made.password] : [])].join('\n'));
      noteMissing(made);
      // What the service decides may be narrower than an address suggests.
      const isDecided = options.update === undefined && fields.audience === undefined;
      const decided = isDecided && opensFor[made.audience];
      if (decided) note(decided);
      const isBound = options.update === undefined && options.expires === undefined;
      if (isBound && made.expiresAt)
        note(`It ends on ${describeTime(made.expiresAt)}: the service allows no later end.`);
      if (options.copy) await copy(link);
      if (options.open) await open(link);
    });
};
