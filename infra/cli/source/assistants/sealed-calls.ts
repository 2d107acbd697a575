import { randomBytes } from 'node:crypto';
import { ApiError, ConflictError } from '../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../functions/web/browser/client/client.ts';
import {
  createFragment,
  parseFragment,
  readKey,
} from '../../../../functions/web/browser/sealed/key.ts';
import { joinLink } from '../../../../functions/web/browser/sealed/link.ts';
import { markBetween, notice } from '../../../../shared/text/marked.ts';
import { cutPart } from '../../../../shared/text/text-part.ts';
import { readOwn } from '../commands/reading.ts';
import type { Shared } from '../commands/shared.ts';
import { CliError, usageError } from '../error-mapping.ts';
import type { KeyedShare } from '../sealed/link.ts';
import { type OpenedShare, openOwn } from '../sealed/open.ts';
import { assertPassphrase } from '../sealed/passphrase.ts';
import { changeSealed, createSealed, saveText } from '../sealed/send.ts';
import type { Confinement } from './confinement.ts';
import { readToShare } from './given.ts';
import type { Repeats } from './repeats.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** What a call needs that seals or opens on this machine. */
export interface SealedContext {
  readonly confinement: Confinement;
  readonly client: Client;
  readonly repeats: Repeats<SealedResult>;
}

/** What a model reads of a call: as fields, and as text. */
export interface SealedResult {
  readonly fields: Arguments;
  readonly text: string;
}

const isSaid = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(isSaid);
  return typeof value === 'string' ? value.trim() !== '' : value != null;
};

const isLanguage = (value: unknown): value is 'html' | 'markdown' =>
  value === 'html' || value === 'markdown';

/** @throws CliError for what is no passphrase */
const toPassphrase = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return assertPassphrase(value);
  throw usageError('Invalid passphrase: must be a text.');
};

/** Returns the fields of a share that say who can open it and such. @throws CliError for a password */
const toFields = (options: Arguments): Arguments => {
  if (options['useRandomPassword']) {
    throw usageError('A sealed share has no password: send `passphrase` instead.');
  }
  const { useRandomPassword: _, ...fields } = options;
  return fields;
};

/** Reads what is to be sealed: content, or what is at a path. @throws CliError for both or neither */
const readGiven = async (
  { path, content, language, main }: Arguments,
  { confinement }: SealedContext,
): Promise<Shared | undefined> => {
  if (isSaid(path) && isSaid(content)) throw usageError('Send either path or content.');
  if (isSaid(path)) {
    if (typeof path !== 'string') throw usageError('Invalid path: must be a text.');
    const asked = {
      ...(typeof main === 'string' && { main }),
      ...(isLanguage(language) && { language }),
    };
    return readToShare(await confinement.resolve(path), { ...asked, isSealed: true });
  }
  if (!isSaid(content)) return undefined;
  if (typeof content !== 'string') throw usageError('Invalid content: must be a text.');
  if (!isLanguage(language)) throw usageError('Send the language of content: html or markdown.');
  return { text: { content, language } };
};

const omit = (given: Arguments, names: readonly string[]): Arguments =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));

/** What says what is sealed, and how: the rest are options of the share. */
const contentNames = [
  ...['path', 'content', 'language', 'main', 'sealed', 'passphrase', 'requestId'],
  ...['id', 'version'],
];

const keepLink =
  'Give the person the whole link: without the part behind the #, nobody can open it, and the service can’t help.';

const create = async (given: Arguments, context: SealedContext): Promise<SealedResult> => {
  const shared = await readGiven(given, context);
  if (!shared) throw usageError('Send content or path: what is to be sealed.');
  const passphrase = toPassphrase(given['passphrase']);
  const fragment = createFragment({ hasPassphrase: passphrase !== undefined });
  const key = await readKey(fragment, passphrase);
  const options = toFields(omit(given, contentNames));
  const isChosen = isSaid(options['audience']) || isSaid(options['readers']);
  const asked = isChosen ? options : { ...omit(options, ['readers']), audience: 'private' };
  const created = await createSealed(context.client, key, shared, asked);
  const { id, url, audience, expiresAt } = created;
  const link = joinLink(url, fragment);
  const fields = { id, url: link, audience, sealed: true, ...(expiresAt && { expiresAt }) };
  return { fields, text: `${JSON.stringify(fields)}\n\n${keepLink}` };
};

/**
 * Seals what is given and shares it: for its owner alone unless the call says who can open it. A repeated call gets the same share.
 * @throws ApiError; CliError
 */
export const createSealedShare = (
  given: Arguments,
  context: SealedContext,
): Promise<SealedResult> =>
  context.repeats.run(given['requestId'], given, () => create(given, context));

/**
 * Asserts that the service may get content for a share of the person.
 * @throws ApiError; CliError for a sealed share, whose new content would be known to the service
 */
export const assertPlain = async (client: Client, name: string): Promise<void> => {
  const share = await readOwn(client, name).catch((error: unknown) => {
    // What the person can't read, the service doesn't let them change.
    if (error instanceof ApiError && [403, 404].includes(error.status)) return undefined;
    throw error;
  });
  if (!share?.sealed) return;
  throw new CliError(
    'The share is sealed, so nothing was sent. Change it by share_update with `content` or `path`, and its whole link, with the key behind the #, as `id`: ask the person for it.',
  );
};

/** Tools read without a view, which only an owner can. */
const notOwn = (): CliError =>
  new CliError(
    'The person has no such share. If somebody sent them the link, they can open it by `handbill get`, which may use a view.',
  );

/** @throws CliError for a share of somebody else; for a key that needs a passphrase, before the person at the terminal would be asked */
const open = (
  { client }: SealedContext,
  keyed: KeyedShare,
  given: Arguments,
): Promise<OpenedShare> => {
  const passphrase = toPassphrase(given['passphrase']);
  if (parseFragment(keyed.fragment)?.hasPassphrase && passphrase === undefined) {
    throw usageError(
      'The share has a passphrase. Ask the person for it, and send it as `passphrase`.',
    );
  }
  return openOwn(client, keyed, passphrase).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 404 ? notOwn() : error;
  });
};

const mark = (text: string): string => markBetween(randomBytes(16).toString('base64url'), text);

/** The fields by which a model finds and changes a share, as the tools of the service show them. */
const shownNames = [
  ...['id', 'title', 'description', 'audience', 'status', 'version', 'views', 'viewsLeft'],
  ...['expiresAt', 'createdAt', 'updatedAt', 'viewLimit', 'slug', 'sealed', 'passphrase'],
] as const;

/** Opens a share of the person on this machine, without a view. A long text comes in parts. @throws ApiError; CliError */
export const readSealedShare = async (
  keyed: KeyedShare,
  given: Arguments,
  context: SealedContext,
): Promise<SealedResult> => {
  const { share, content } = await open(context, keyed, given);
  const bytes = Buffer.from(content.text);
  const { offset = 0 } = given;
  if (
    !Number.isSafeInteger(offset) ||
    (offset as number) < 0 ||
    (offset as number) > bytes.length
  ) {
    throw usageError(`Invalid offset: must be an integer from 0 to ${bytes.length}.`);
  }
  const { text, ...part } = cutPart(bytes, offset as number);
  const shown = {
    ...Object.fromEntries(shownNames.map((name) => [name, share[name]])),
    url: joinLink(share.url, keyed.fragment),
    language: content.language,
    files: content.files.map(({ name, type, size }) => ({ name, type, size })),
    ...part,
  };
  return {
    fields: { notice, ...shown, content: text },
    text: mark(`${JSON.stringify(shown)}\n\n${text}`),
  };
};

/** @throws CliError for what is no version */
const toVersion = (value: unknown): number => {
  if (Number.isSafeInteger(value)) return value as number;
  throw usageError('Send the version that share_read returned.');
};

const readAgain = (): CliError =>
  new CliError(
    'It was changed after you read it. Read it again with share_read, put your change into what it says now, and send its new version.',
  );

/** Seals new content of a share under its key, so that its link stays; its files stay with `content`. @throws ApiError; CliError */
export const changeSealedShare = async (
  keyed: KeyedShare,
  given: Arguments,
  context: SealedContext,
): Promise<SealedResult> => {
  const version = toVersion(given['version']);
  const opened = await open(context, keyed, given);
  const { language } = opened.content;
  const shared = await readGiven({ language, ...given }, context);
  if (!shared) throw usageError('Send content or path: what is to be sealed.');
  const options = toFields(omit(given, contentNames));
  const fields = isSaid(options['audience']) ? options : omit(options, ['audience']);
  const asked = { version, fields };
  const isText = 'text' in shared && !isSaid(given['path']);
  const changed = await (isText
    ? saveText(context.client, opened, shared.text, asked)
    : changeSealed(context.client, opened, shared, asked)
  ).catch((error: unknown) => {
    throw error instanceof ConflictError ? readAgain() : error;
  });
  const { id, title, audience, expiresAt, version: next } = changed;
  const link = joinLink(changed.url, keyed.fragment);
  const shown = { id, url: link, title, audience, version: next, expiresAt, sealed: true };
  return { fields: { notice, ...shown }, text: mark(JSON.stringify(shown)) };
};
