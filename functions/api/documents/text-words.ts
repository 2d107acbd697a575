import { batchGet } from '../../../shared/db/dynamodb.ts';
import type { Item } from '../../../shared/db/item-parser.ts';
import { haveWords } from '../../../shared/lists/tokenize.ts';
import { fold } from '../../../shared/text/fold.ts';
import type { IndexEntry, WholeEntry } from './index-entries.ts';
import { documentKeys } from './keys.ts';
import { getBeginning, unpackBeginning } from './text/beginning.ts';

/** Whether a document may have a text. Entries that aren't whole don't say. */
const mayHaveText = (entry: IndexEntry | WholeEntry): boolean =>
  !('size' in entry) || entry.size > 0;

const hasWords = async (item: Item | undefined, asked: readonly string[]): Promise<boolean> => {
  const packed = item?.['packed'] as Uint8Array | undefined;
  if (!packed) return false;
  const text = await unpackBeginning(packed);
  // To find each word anywhere takes a tenth of splitting the text into words, which few texts are worth.
  const folded = fold(text);
  return asked.every((word) => folded.includes(word)) && haveWords([getBeginning(text)], asked);
};

/**
 * Finds those of some documents whose text has words, among its first 2,000, that start with each of those asked for. The compressed
 * text is read as it is stored, or, if that is in the bucket, its beginning: so nothing of it is ever out of date by more than
 * the moment by which a read at half the price may lag.
 */
export const findByText = async (
  entries: readonly IndexEntry[],
  asked: readonly string[],
): Promise<readonly IndexEntry[]> => {
  const candidates = entries.filter(mayHaveText);
  const keys = candidates.map(({ id }) => documentKeys.content.at({ id }));
  const items = await batchGet(keys, { isEventual: true });
  const found: IndexEntry[] = [];
  // One after the other, so that their texts aren't in memory together.
  for (const [at, entry] of candidates.entries()) {
    if (await hasWords(items[at], asked)) found.push(entry);
  }
  return found;
};
