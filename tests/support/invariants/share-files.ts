import { brotliDecompressSync } from 'node:zlib';
import type { Manifest } from '../../../functions/api/share/files/manifest.ts';
import { getObjectKey } from '../../../functions/api/share/files/objects.ts';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import type { StoredShare } from '../../../functions/api/share/record/share.ts';
import type { StoredUpload } from '../../../functions/api/share/uploads/upload.ts';
import type { Stored } from './stored.ts';

const sharesIn = (stored: Stored): StoredShare[] => stored.listed(/^SHARE#/, /^SHARE$/);

const uploadsIn = (stored: Stored): StoredUpload[] => stored.listed(/^USER#/, /^UPLOAD#/);

/** Reads the list of a share’s files; `undefined` if it is in the bucket. */
const readManifest = (stored: Stored, { id, files }: StoredShare): Manifest | undefined => {
  const packed = files?.ref.packed ?? stored.get(shareKeys.files.at({ id }))?.['packed'];
  return packed && JSON.parse(brotliDecompressSync(packed as Uint8Array).toString());
};

/** Returns what shares and uploads take of a user’s storage, in bytes. */
export const countShareBytes = (stored: Stored, userId: number): number =>
  [
    ...sharesIn(stored)
      .filter(({ ownerId }) => ownerId === userId)
      .map(
        ({ files, from }) => (files?.bytes ?? 0) + (files?.formerBytes ?? 0) + (from?.bytes ?? 0),
      ),
    ...uploadsIn(stored)
      .filter(({ ownerId }) => ownerId === userId)
      .map(({ bytes }) => bytes),
  ].reduce((sum, bytes) => sum + bytes, 0);

/** Returns the keys of the objects that shares list, and whether another key is of a share that will be pruned. */
export const objectsOfShares = (stored: Stored) => {
  const shares = sharesIn(stored).filter(({ files }) => files);
  const wanted = shares.flatMap((share) => {
    const { files = [], former = [] } = readManifest(stored, share) ?? {};
    return [...files, ...former].flatMap(({ object }) =>
      object === undefined ? [] : getObjectKey(share.id, object),
    );
  });
  const unread = shares.filter((share) => !readManifest(stored, share)).map(({ id }) => id);
  const pruned = stored.of(/^SHARES#PRUNE#/).map(({ id }) => String(id));
  const jobs = JSON.stringify(stored.of(/^OUTBOX#/));
  const isPruned = (key: string): boolean => {
    const [prefix, id = ''] = key.split('/');
    return prefix === 'shares' && ([...unread, ...pruned].includes(id) || jobs.includes(id));
  };
  return { wanted, isPruned };
};
