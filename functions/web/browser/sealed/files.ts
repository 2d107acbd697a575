// The files of a sealed share, as they are uploaded.
import { type SealedFile, sealFile } from './content.ts';
import type { SealKey } from './key.ts';

/** A file before it is sealed. */
export interface PlainFile extends Pick<SealedFile, 'name' | 'type'> {
  readonly bytes: Uint8Array;
}

/** A sealed file: what the content says of it, and the bytes that the share has at its path. */
export interface SealedUpload {
  readonly file: SealedFile;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Seals a file under a path that tells nothing of it. */
export const sealUpload = async (
  key: SealKey,
  { name, type, bytes: plain }: PlainFile,
): Promise<SealedUpload> => {
  const { id, bytes } = await sealFile(key, plain);
  const path = `${crypto.randomUUID()}.sealed`;
  return { file: { path, id, name, type, size: plain.length }, bytes };
};
