// Reads texts whoever asks: `admission.ts` decides, and nothing else imports this file.
import { AppError } from '../../../../shared/runtime/errors.ts';
import {
  type PackedTexts,
  readPackedTexts,
  type TextsRef,
  unpackTexts,
} from '../../../../shared/storage/stored-text.ts';
import { shareKeys } from '../record/keys.ts';
import { endedError, type FoundShare, modifiedMessage, type StoredShare } from '../record/share.ts';
import { loadItems, toFoundShare } from './load.ts';
import { forgetTexts, keepTexts, recallTexts } from './text-memory.ts';

/** A share with its compressed texts; absent if they are deleted, or in S3 and not read by this process before. */
export interface ReadShare extends FoundShare {
  readonly known: PackedTexts | undefined | Promise<PackedTexts | undefined>;
}

/**
 * Reads a share with its texts. Texts that this process has read before are not read again, unless they were replaced
 * (decisions.md#views).
 * @throws AppError NOT_FOUND
 */
export const loadWithTexts = async (id: string): Promise<ReadShare> => {
  const kept = recallTexts(id);
  const [share, access, content] = await loadItems(id, kept ? 'access' : 'content');
  const found = toFoundShare(share, access);
  if (kept?.id === found.share.texts?.id) return { ...found, known: kept };
  if (kept) forgetTexts(id);
  const known = content as object | undefined as PackedTexts | undefined;
  if (known) keepTexts(id, known);
  return { ...found, known };
};

const readPacked = async (
  { id }: StoredShare,
  ref: TextsRef,
  known?: PackedTexts,
): Promise<PackedTexts | undefined> => {
  const packed = await readPackedTexts(shareKeys.content.at({ id }), ref, known);
  if (packed && packed !== known && ref.place !== 'record') keepTexts(id, packed);
  return packed;
};

/** Starts to read texts that are in S3, for a caller who has more to do first. */
export const readAhead = (found: ReadShare): ReadShare => {
  const { share, known } = found;
  if (known || share.texts?.place !== 'bucket') return found;
  const packed = readPacked(share, share.texts);
  // Nobody waits for it if the share can't be read.
  packed.catch(() => undefined);
  return { ...found, known: packed };
};

/** The source; of Markdown also its HTML, as the API returns it and with the extras of the page. */
export type TextName = 'source' | 'html' | 'page';

const maxAttempts = 3;

/** Whether viewing `after` is for others, or requires a password or a counted view that viewing `before` did not. */
const requiresNewAccess = (before: StoredShare, after: StoredShare): boolean =>
  after.password?.id !== before.password?.id ||
  after.audienceId !== before.audienceId ||
  (after.viewLimit !== undefined && before.viewLimit === undefined);

/**
 * Reads texts with the version of the share they belong to. The two reads are not atomic; after a concurrent update
 * both are repeated, unless the texts must be those of `found`.
 * @throws AppError GONE if the content is deleted; SERVICE_UNAVAILABLE if it was replaced, and must not be or requires other
 *   access by now
 */
export const readMatchingTexts = async <Name extends TextName>(
  found: ReadShare,
  names: readonly Name[],
  { isReplaceable }: { readonly isReplaceable: boolean },
): Promise<{ readonly share: StoredShare; readonly texts: Partial<Record<Name, string>> }> => {
  let { share, known } = found;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { id, texts: ref } = share;
    const packed = ref && (await readPacked(share, ref, await known));
    if (packed) return { share, texts: await unpackTexts(ref, packed, names) };
    const latest = await loadWithTexts(id);
    if (latest.share.texts?.id === ref?.id) throw endedError();
    if (!isReplaceable || requiresNewAccess(share, latest.share)) break;
    ({ share, known } = latest);
  }
  throw new AppError('SERVICE_UNAVAILABLE', modifiedMessage);
};
