import type { StoredDocument } from '../../../functions/api/documents/document.ts';
import { listEntries } from '../../../functions/api/documents/index-entries.ts';
import { documentKeys } from '../../../functions/api/documents/keys.ts';
import { getExpiry, type StoredRevision } from '../../../functions/api/documents/revisions.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { compare, differs, type Stored } from './stored.ts';

const isLive = ({ deletedAt }: StoredDocument): boolean => deletedAt === undefined;

/** Returns the readers of a document. The readers of a public or private document have no effect. */
const readersOf = (document: StoredDocument): readonly number[] =>
  isLive(document) && document.visibility !== 'everyone' ? document.sharedWith : [];

const ofTexts = (stored: Stored, { id, texts }: StoredDocument): string[] => {
  const item = stored.get(documentKeys.content.at({ id }));
  const wanted = texts?.place === 'table' ? texts.id : undefined;
  return item?.['id'] === wanted
    ? []
    : [`documents: ${id} has the content ${item?.['id']}, not ${wanted}`];
};

/**
 * Checks that each revision is of a document and has its text, which is deleted with it, and that there are no other texts.
 * What is to be deleted by a job may be left.
 */
const ofRevisions = (stored: Stored): string[] => {
  const scheduled = new Set(stored.of(/^DELETIONS#/).map(({ key }) => String(key)));
  const revisions = stored.records<StoredRevision & { readonly pk: string }>(
    /^DOCUMENT#/,
    /^REVISION#/,
  );
  const idOf = (pk: string) => Number(pk.slice('DOCUMENT#'.length));
  const texts = revisions
    .filter((revision) => revision.texts.place === 'table')
    .map(({ pk, version }) => documentKeys.revisionText.at({ id: idOf(pk), version }));
  const given = stored.of(/^DOCUMENT#/, /^REVISED#/).map(({ pk, sk }) => ({ pk, sk }));
  const now = Date.now();
  const lost = revisions.flatMap((revision) => {
    const { pk, version, texts: ref } = revision;
    if (ref.place !== 'bucket' || getExpiry(revision) <= now) return [];
    const key = `texts/${pk.replaceAll('#', '/')}/${ref.id}`;
    const isRight = stored.objects.has(key) && scheduled.has(key);
    return isRight ? [] : [`documents: revision ${version} of ${pk} lacks its object`];
  });
  return [...compare('revisions of documents', texts, given), ...lost];
};

/** Checks that no document names a missing user, unless a job is pending. */
const ofNobody = (stored: Stored, document: StoredDocument): string[] =>
  [document.authorId, ...readersOf(document)]
    .filter((user) => !stored.get(userKeys.record.at({ id: user })) && !stored.unsettled.has(user))
    .map((user) => `documents: ${document.id} names ${user}, who is not there`);

/** Counters of a user: visible documents except public ones, and documents in the trash. */
const countsOf = (documents: readonly StoredDocument[], userId: number) => ({
  seen: documents.filter(
    (document) =>
      isLive(document) &&
      document.visibility !== 'everyone' &&
      [document.authorId, ...readersOf(document)].includes(userId),
  ).length,
  trashed: documents.filter((document) => !isLive(document) && document.authorId === userId).length,
});

const ofCounts = (stored: Stored, documents: readonly StoredDocument[]): string[] => {
  const counters = stored.of(/^USER#/, /^DOCUMENTS#\d+$/);
  const userIds = new Set([
    ...counters.map(({ pk }) => Number(pk.split('#')[1])),
    ...documents.flatMap(({ authorId, sharedWith }) => [authorId, ...sharedWith]),
  ]);
  return [...userIds]
    .filter((userId) => !stored.unsettled.has(userId))
    .flatMap((userId) => {
      const own = stored.in(userKeys.record.at({ id: userId }), /^DOCUMENTS#\d+$/);
      const really = countsOf(documents, userId);
      return (['seen', 'trashed'] as const).flatMap((name) =>
        differs(`documents ${name} of ${userId}`, stored.sum(own, name), really[name]),
      );
    });
};

/** Checks that each document exists with its content and index entries, and that counts match. */
export const ofDocuments = (stored: Stored): string[] => {
  const documents = stored.listed<StoredDocument>(/^DOCUMENT#/, /^DOCUMENT$/);
  const places = documents.flatMap(listEntries);
  const alone = stored
    .of(/^DOCUMENT#/, /^TEXTS$/)
    .filter(({ pk }) => !stored.get({ pk, sk: 'DOCUMENT' }));
  const live = documents.filter(isLive);
  return [
    ...compare('documents', places, stored.of(/^DOCUMENTS(#(?!EVERYONE#COUNTS$)|$)/)),
    ...alone.map(({ pk, sk }) => `documents: ${pk} ${sk} is of nothing`),
    ...documents.flatMap((document) => [
      ...ofTexts(stored, document),
      ...ofNobody(stored, document),
    ]),
    ...differs('documents', stored.total('documents'), live.length),
    ...differs(
      'documents of everyone',
      stored.sum(stored.in(documentKeys.publicCounts.partition(), /^/), 'seen'),
      live.filter(({ visibility }) => visibility === 'everyone').length,
    ),
    ...ofCounts(stored, documents),
    ...ofRevisions(stored),
  ];
};
