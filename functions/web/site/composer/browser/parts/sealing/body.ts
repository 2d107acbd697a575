import { SealedError } from '../../../../../../../shared/sealed/envelope.ts';
import { ApiError } from '../../../../../browser/client/api-error.ts';
import { keepFragment } from '../../../../../browser/sealed/kept-key.ts';
import { sealingTexts as texts } from '../../../sealing-texts.ts';
import { getContent, language } from '../content.ts';
import { controls } from '../elements.ts';
import { files } from '../open-files.ts';
import { editId, getUnchanged, isContentUnchanged } from '../state.ts';
import { createNewKey, type Sealer } from './sealer.ts';

const { hasPassphrase, passphrase } = controls;

const newKey = createNewKey();

/** What has opened the edited share, and seals it again. */
let stored: Sealer | undefined;

/** What has sealed the last body. */
let last: Sealer | undefined;

/** Notes what seals the edited share: its link stays the same. */
export const noteStoredSealer = (sealer: Sealer): void => {
  stored = sealer;
};

/** What a sealed share can’t have, whatever is chosen for others. */
const impossible = { embedOrigins: [], showsRevisions: false };

/** Says that a text can’t be sealed, beside it. */
const refuse = (error: unknown): never => {
  if (!(error instanceof SealedError)) throw error;
  const details = [{ field: 'content', message: texts.textTooLong }];
  throw new ApiError(0, texts.textTooLong, { code: 'TOO_LARGE', details });
};

/** Returns the passphrase of a new share, if it has one. */
export const getPassphrase = (): string | undefined =>
  editId === undefined && hasPassphrase.checked ? passphrase.value : undefined;

const isUnchanged = (): boolean =>
  isContentUnchanged() &&
  language.value === getUnchanged('language') &&
  files.opened?.isUnchanged() !== false;

/**
 * Returns a share with these options as the API takes it: sealed. The same again is the same body.
 * @throws ApiError if the text or a file is too large, a file can’t be uploaded, or the browser doesn’t encrypt here
 */
export const toSealedBody = async (options: object, isAgain: boolean): Promise<object> => {
  if (!isSecureContext) {
    throw new ApiError(0, texts.needsHttps, { code: 'NOT_SECURE' });
  }
  const possible = { ...options, ...impossible };
  if (stored && isUnchanged()) {
    last = stored;
    return possible;
  }
  const plain = { language: language.value, text: getContent() };
  const asked = JSON.stringify([possible, plain, files.opened?.getRevision()]);
  const sealer = stored ?? (await newKey.choose(asked, getPassphrase()));
  const { named = [], body } = (await files.opened?.seal(sealer, isAgain)) ?? {};
  const content = await sealer.sealContent({ ...plain, files: named }).catch(refuse);
  last = sealer;
  return {
    ...possible,
    ...{ sealed: true, content, language: plain.language, proof: sealer.proof },
    ...body,
  };
};

/** Notes that the body was refused, or may be stored. */
export const noteFailure = (error: unknown): void => {
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  if (!isRefused) newKey.noteLost();
};

/** What opens the stored share. */
export interface UsedSeal {
  readonly fragment: string;
  /** Of a new share that has one. */
  readonly passphrase: string | undefined;
}

/** Returns what opens the stored share, and keeps its key in this tab. */
export const keepSeal = (id: string): UsedSeal => {
  const fragment = last?.fragment ?? '';
  keepFragment(id, fragment);
  return { fragment, passphrase: getPassphrase() };
};
