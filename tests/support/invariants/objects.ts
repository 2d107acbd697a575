import { probeKey } from '../../../functions/api/settings/health.ts';
import type { TextsRef } from '../../../shared/storage/stored-text.ts';
import { objectsOfFiles } from './files.ts';
import { objectsOfShares } from './share-files.ts';
import type { Stored } from './stored.ts';

/** Returns the key of the object that stores a record's texts, if any. */
const objectsOf = ({ pk, texts }: { readonly pk: string; readonly texts?: TextsRef }): string[] =>
  texts?.place === 'bucket' ? [`texts/${pk.replaceAll('#', '/')}/${texts.id}`] : [];

/** Checks that every object has a record or a scheduled deletion, and that every record has its objects. */
export const ofObjects = (stored: Stored): string[] => {
  const files = objectsOfFiles(stored);
  const shares = objectsOfShares(stored);
  const wanted = new Set([
    ...files.wanted,
    ...shares.wanted,
    ...stored
      .of(/^(SHARE|DOCUMENT|MESSAGE)#/, /^(SHARE|DOCUMENT|MESSAGE)$/)
      .flatMap((record) => objectsOf(record as Parameters<typeof objectsOf>[0])),
  ]);
  const known = new Set([...wanted, ...files.known, probeKey]);
  const scheduled = new Set(stored.of(/^DELETIONS#/).map(({ key }) => String(key)));
  const missing = [...wanted].filter((key) => !stored.objects.has(key));
  const lost = [...stored.objects].filter(
    (key) => !known.has(key) && !scheduled.has(key) && !shares.isPruned(key),
  );
  const dying = [...wanted].filter((key) => scheduled.has(key));
  return [
    ...missing.map((key) => `objects: ${key} is missing`),
    ...lost.map((key) => `objects: ${key} is of nothing`),
    ...dying.map((key) => `objects: ${key} is to be deleted`),
  ];
};
