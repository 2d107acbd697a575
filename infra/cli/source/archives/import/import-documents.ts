import type { Client } from '../../../../../functions/web/browser/client/client.ts';
import type { Item } from '../../../../../functions/web/browser/client/endpoints.ts';
import { takeFrontMatter } from '../../../../../shared/exports/archive-front-matter.ts';
import { countBytes } from '../../../../../shared/text/count-bytes.ts';
import { CliError } from '../../error-mapping.ts';
import { type Archive, type ArchivedFile, readText } from '../zip/archive-file.ts';
import { createPresent, type Present } from './present.ts';
import { hash, toText, toTexts } from './records.ts';
import type { Result, Tally } from './tally.ts';

type ListedDocument = Item<'GET /api/documents'>;

/** The most bytes of a document, with its front matter. */
const maxBytes = 3 * 1024 * 1024;

/** Lists the documents of an archive, the oldest first: their names begin with their ids. */
export const listDocuments = ({ files }: Archive): readonly ArchivedFile[] =>
  [...files.values()]
    .filter(({ path }) => /^documents\/[^/]+\.md$/.test(path))
    .toSorted(
      (a, b) => Number.parseInt(a.path.slice(10), 10) - Number.parseInt(b.path.slice(10), 10),
    );

/** Finds the documents that the user has written, without those in the trash. */
export const listPresentDocuments = (
  client: Client,
  userId: number,
): Promise<Present<ListedDocument>> =>
  createPresent(
    client.items('GET /api/documents', {
      query: { author: String(userId), pageSize: 100 } as never,
    }),
    ({ title, size }) => JSON.stringify([title, size]),
    async ({ id }) => {
      const { content } = await client.call('GET /api/documents/{id}', { params: { id } });
      return hash(content ?? '');
    },
  );

/** Imports a document, unless the user has one of the same title and content. */
export const importDocument = async (
  client: Client,
  file: ArchivedFile,
  present: Present<ListedDocument>,
  tally: Tally,
): Promise<Result> => {
  const found = takeFrontMatter(await readText(file, maxBytes));
  if (!found) throw new CliError('It has no front matter.');
  const { fields, text } = found;
  const title = toText(fields['title']);
  if (await present.take(JSON.stringify([title, countBytes(text)]), hash(text))) return 'present';
  const { type, folder, visibility, everyoneRole } = fields;
  const isPublic = visibility === 'everyone';
  const body = {
    ...{ title, type, folder, tags: toTexts(fields['tags']), visibility },
    ...(isPublic && { everyoneRole }),
    ...(text !== '' && { content: text }),
  };
  await client.call('POST /api/documents', { body: body as never });
  if (Array.isArray(fields['sharedWith']) && fields['sharedWith'].length > 0) {
    tally.lose('people of documents', 'share them again');
  }
  return 'imported';
};
