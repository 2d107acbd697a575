import { maxFileBytes, maxFilesBytes } from '../../../../../../../shared/share-files/limits.ts';
import { ApiError } from '../../../../../browser/client/api-error.ts';
import type { SealedFile } from '../../../../../browser/sealed/content.ts';
import { getEnvelopeBytes, mostSealableBytes } from '../../../../../browser/sealed/size.ts';
import { shareFilesTexts as texts } from '../../../share-files-texts.ts';
import type { SealedFiles } from '../open-files.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { editId } from '../state.ts';
import { takeTexts } from './editing.ts';
import { noteSealer } from './envelopes.ts';
import type { DraftFile } from './model/draft-file.ts';
import { formatSize } from './model/sizes.ts';
import { sendAll, uploads } from './sending.ts';
import { fileSet, isAnyStored, isUnchanged, others } from './set.ts';

const tenth = (1_024 * 1_024) / 10;

/** The most bytes of a file that is sealed, rounded down to what is said of it. */
const mostBytes = Math.floor(Math.floor(mostSealableBytes(maxFileBytes) / tenth) * tenth);

/** Returns why files can’t be sealed, which needs their bytes and makes them a little larger. */
const findFault = (files: readonly DraftFile[]): string | undefined => {
  const unread = files.find(({ bytes, sealed }) => !bytes && !sealed);
  if (unread) return texts.unreadable(unread.path);
  const large = files.find(({ size }) => size > mostBytes);
  if (large) return texts.tooLargeSealed(large.path, formatSize(large.size), formatSize(mostBytes));
  const bytes = files.reduce((sum, { size }) => sum + getEnvelopeBytes(size), 0);
  return bytes > maxFilesBytes
    ? texts.noRoomSealed(formatSize(bytes), formatSize(maxFilesBytes))
    : undefined;
};

/** A file as the content names it, and what the API takes of it. */
interface Sealed {
  readonly named: SealedFile;
  readonly sha256: string;
  /** Of a file that isn’t stored. */
  readonly envelope?: Blob;
}

const sealOne = async (sealer: Sealer, draft: DraftFile): Promise<Sealed> => {
  const { path: name, type, size, bytes, sealed, sha256 } = draft;
  if (sealed) return { named: { ...sealed, name, type, size }, sha256: sha256 ?? '' };
  const plain = { name, type, bytes: bytes ?? new Blob([]) };
  const { file, envelope } = await sealer.sealFile(plain).catch((cause) => {
    // It may be gone from the disk.
    throw new ApiError(0, texts.unreadable(name), { code: 'UNREADABLE', cause });
  });
  return { named: file, sha256: await uploads.hash(envelope), envelope };
};

const toBody = (sealed: readonly Sealed[]): object => {
  if (editId !== undefined && isUnchanged()) return {};
  if (sealed.length === 0) return isAnyStored() ? { files: null } : {};
  const upload = uploads.getUpload()?.id;
  return {
    ...(upload !== undefined && { upload }),
    files: sealed.map(({ named, sha256 }) => ({ path: named.path, sha256 })),
  };
};

/**
 * Seals the files one by one, uploads their envelopes, and returns how the content names them. `isAgain` uploads all again.
 * @throws ApiError if a file is too large, or can’t be uploaded
 */
export const sealFiles = async (sealer: Sealer, isAgain: boolean): Promise<SealedFiles> => {
  if (!fileSet.value) return { named: [], body: toBody([]) };
  noteSealer(sealer);
  takeTexts();
  const files = others.value;
  const fault = findFault(files);
  if (fault !== undefined) throw new ApiError(0, fault, { code: 'TOO_LARGE' });
  if (isAgain) void uploads.cancel();
  const sealed: Sealed[] = [];
  for (const file of files) sealed.push(await sealOne(sealer, file));
  await sendAll(
    sealed.flatMap(({ named: { path }, envelope }) => (envelope ? { path, bytes: envelope } : [])),
  );
  return { named: sealed.map(({ named }) => named), body: toBody(sealed) };
};
