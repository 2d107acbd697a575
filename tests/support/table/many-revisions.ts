import type { Key } from '../../../shared/db/key.ts';
import { createItemWrite, transact } from '../../../shared/db/transaction.ts';
import { storeTextsUntil } from '../../../shared/storage/stored-text.ts';

/** How a kind of records keeps its revisions. */
interface Revisions {
  readonly keyOf: (version: number) => Key;
  readonly textKeyOf: (version: number) => Key;
  readonly toText: (content: string) => Record<string, string>;
  readonly fields: object;
}

/** Stores revisions with these versions, as changes did that deleted none beyond the limits. Every 30th is in the bucket. */
export const storeRevisions = async (
  versions: readonly number[],
  { keyOf, textKeyOf, toText, fields }: Revisions,
): Promise<void> => {
  const expiresAt = Date.now() + 86_400_000;
  const replacedAt = new Date().toISOString();
  for (const version of versions) {
    const content = version % 30 === 0 ? crypto.getRandomValues(Buffer.alloc(30_000)) : 'Short';
    const text = toText(content.toString('base64'));
    const { ref, writes } = await storeTextsUntil(textKeyOf(version), text, expiresAt);
    await transact([
      createItemWrite(keyOf(version), { ...fields, version, replacedAt, texts: ref }),
      ...writes,
    ]);
  }
};
