import type { Data } from '../../../../functions/web/browser/client/endpoints.ts';
import { createFragment, readKey } from '../../../../functions/web/browser/sealed/key.ts';
import { joinLink } from '../../../../functions/web/browser/sealed/link.ts';
import type { Fields } from '../commands/sending.ts';
import { readShared } from '../commands/shared.ts';
import { connect } from '../connection.ts';
import { usageError } from '../error-mapping.ts';
import { note } from '../terminal/output.ts';
import { connectToChange, type KeyedShare, readKeyed, wholeLink } from './link.ts';
import { openOwn } from './open.ts';
import { choosePassphrase, type PassphraseOption } from './passphrase.ts';
import { changeSealed, createSealed } from './send.ts';

/** The options of `share` that matter to a sealed share. */
interface SealedOptions {
  readonly sealed?: true;
  readonly passphrase?: PassphraseOption;
  readonly update?: string;
  readonly password?: string;
  readonly randomPassword?: true;
  readonly title?: string;
  readonly main?: string;
  readonly language?: 'html' | 'markdown';
  readonly name?: string;
}

type Made = Data<'POST /api/share'> | Data<'PUT /api/share/{id}'>;

/** A sealed share, with the only link that opens it. */
export interface SealedShare {
  readonly made: Made;
  readonly link: string;
}

/** @throws CliError for options that a sealed share can't have */
const assertPossible = ({ password, randomPassword }: SealedOptions): void => {
  if (password === undefined && !randomPassword) return;
  const option = randomPassword ? '--random-password' : '--password';
  throw usageError(`${option} is not for a sealed share: --passphrase joins its key instead.`);
};

const create = async (
  paths: readonly string[],
  { passphrase: option, ...options }: SealedOptions,
  fields: Fields,
): Promise<SealedShare> => {
  const client = await connect();
  const passphrase = await choosePassphrase(option);
  const shared = await readShared(paths, { ...options, isSealed: true });
  const fragment = createFragment({ hasPassphrase: passphrase !== undefined });
  const made = await createSealed(client, await readKey(fragment, passphrase), shared, fields);
  note('Keep the link: without its key, nobody can open the share, and the service can’t help.');
  if (passphrase !== undefined) note('Send the passphrase another way than the link.');
  return { made, link: joinLink(made.url, fragment) };
};

const change = async (
  paths: readonly string[],
  { passphrase, ...options }: SealedOptions,
  { keyed, fields }: { readonly keyed: KeyedShare; readonly fields: Fields },
): Promise<SealedShare> => {
  const client = await connectToChange(keyed);
  const opened = await openOwn(client, keyed, passphrase);
  const shared = await readShared(paths, { ...options, isSealed: true });
  const made = await changeSealed(client, opened, shared, { fields });
  return { made, link: joinLink(made.url, keyed.fragment) };
};

/**
 * Seals what is shared, if that is asked for: by `--sealed`, or by the key of the share that is changed. Returns `undefined`
 * otherwise.
 * @throws ApiError; CliError for options that contradict each other
 */
export const shareSealed = async (
  paths: readonly string[],
  options: SealedOptions,
  fields: Fields,
): Promise<SealedShare | undefined> => {
  const { sealed, passphrase, update, title } = options;
  const keyed = update === undefined ? undefined : readKeyed(update);
  if (!sealed && !keyed) {
    if (passphrase === undefined) return undefined;
    throw usageError('--passphrase is for sealed shares: add --sealed.');
  }
  assertPossible(options);
  if (update !== undefined && !keyed) {
    throw usageError(`Only a new share can be sealed. Is it sealed already? ${wholeLink}`);
  }
  const done = keyed
    ? await change(paths, options, { keyed, fields })
    : await create(paths, options, fields);
  if (title !== undefined) note('The title isn’t sealed: the service can read it.');
  return done;
};
