import { randomUUID } from 'node:crypto';
import { ApiError } from '../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../functions/web/browser/client/client.ts';
import {
  openContent,
  type SealedContent,
} from '../../../../functions/web/browser/sealed/content.ts';
import {
  parseFragment,
  readKey,
  type SealKey,
  toProof,
} from '../../../../functions/web/browser/sealed/key.ts';
import { SealedError } from '../../../../shared/sealed/envelope.ts';
import { keyRefused } from '../../../../shared/sealed/refusals.ts';
import { type FullShare, readAny, readOwn } from '../commands/reading.ts';
import { CliError, usageError } from '../error-mapping.ts';
import { note } from '../terminal/output.ts';
import type { KeyedShare } from './link.ts';
import { findPassphrase, type GivenPassphrase, type PassphraseOption } from './passphrase.ts';

/** At a terminal, a wrong passphrase is asked for again. */
const maxAttempts = 3;

/** A share that this machine has opened. */
export interface OpenedShare {
  readonly share: FullShare;
  readonly key: SealKey;
  readonly content: SealedContent;
}

const notSealed = (): CliError =>
  new CliError(
    'The share isn’t sealed, as its link says it is. Nothing is shown: ask who sent it.',
  );

/** Returns the error of a share or file that can't be opened, in words. `what` names it. */
export const explainSealed = (error: unknown, what: string): unknown => {
  if (!(error instanceof SealedError)) return error;
  const reasons = {
    version: `${what} was sealed by a newer version. Update handbill.`,
    key: `${what} can’t be opened with this key: check the link and the passphrase. Or it was changed; nothing of it is shown.`,
    format: `${what} was changed or damaged; nothing of it is shown.`,
    mismatch: `${what} was changed or damaged; nothing of it is shown.`,
  } as const;
  return new CliError(reasons[error.problem]);
};

/** Whether the key was wrong, which uses no view. */
const isWrongKey = (error: unknown): boolean =>
  (error instanceof ApiError && error.status === 401 && error.message === keyRefused) ||
  (error instanceof SealedError && error.problem === 'key');

/** Reads the passphrase if the key asks for one. @throws CliError for one that it doesn't ask for */
const findNeeded = async (
  fragment: string,
  option: PassphraseOption,
): Promise<GivenPassphrase | undefined> => {
  if (parseFragment(fragment)?.hasPassphrase) return findPassphrase(option);
  if (option !== undefined) throw usageError('The link takes no passphrase: its key is enough.');
  return undefined;
};

/** Reads a share and opens it with a key. Anybody else's counts one view, however often the answer is lost. */
type Read = (proof: string, claim: string) => Promise<FullShare>;

const openOnce = async (read: Read, key: SealKey, claim: string): Promise<OpenedShare> => {
  const share = await read(await toProof(key), claim);
  // Else a service could show what nobody has sealed.
  if (!share.sealed) throw notSealed();
  return { share, key, content: await openContent(key, share.content) };
};

const openBy = async (
  { fragment }: KeyedShare,
  option: PassphraseOption,
  read: Read,
): Promise<OpenedShare> => {
  const claim = randomUUID();
  for (let attempt = 1; ; attempt++) {
    const passphrase = await findNeeded(fragment, option);
    try {
      return await openOnce(read, await readKey(fragment, passphrase?.text), claim);
    } catch (error) {
      if (!isWrongKey(error) || !passphrase?.isAsked || attempt === maxAttempts) {
        throw explainSealed(error, 'The share');
      }
      note('The passphrase is incorrect.');
    }
  }
};

/**
 * Opens a share that somebody may read: the user's own without a view, anybody else's with one.
 * @throws ApiError; CliError for a key that doesn't open it, and for what was changed
 */
export const openAny = (
  client: Client,
  keyed: KeyedShare,
  option: PassphraseOption,
): Promise<OpenedShare> =>
  openBy(keyed, option, (proof, claim) =>
    readAny(client, keyed.name, { 'x-share-proof': proof, 'x-share-claim': claim }),
  );

/**
 * Opens a share of the user, to change it: what its key doesn't open would be lost under another one.
 * @throws ApiError; CliError as `openAny`
 */
export const openOwn = (
  client: Client,
  keyed: KeyedShare,
  option: PassphraseOption,
): Promise<OpenedShare> => openBy(keyed, option, () => readOwn(client, keyed.name));
