import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import type { StoredDocument } from '../../../../../functions/api/documents/document.ts';
import { named } from '../../../../../functions/api/documents/index-entries.ts';
import type { CreateDocumentInput } from '../../../../../functions/api/documents/input.ts';
import { documentKeys } from '../../../../../functions/api/documents/keys.ts';
import { auditKeys } from '../../../../../shared/audit/keys.ts';
import { counterKeys } from '../../../../../shared/counters/keys.ts';
import type { Key } from '../../../../../shared/db/key.ts';
import { tokenize } from '../../../../../shared/lists/tokenize.ts';
import { getAllScope } from '../../../../../shared/records/index-entries.ts';
import type { Actor } from './actor.ts';
import { type Shown, show } from './documents.ts';
import { HttpError } from './errors.ts';
import { client, TableName } from './table.ts';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The request's fields in its audit entry. */
export interface Origin {
  readonly address: string;
  readonly requestId: string;
}

const compress = promisify(brotliCompress);
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const maxBytes = 2 * 1024 * 1024;
const auditKeptMs = 366 * 86_400_000;

const newId = (): number => (Date.now() - Date.UTC(2025, 0, 1)) * 4_096 + randomInt(4_096);

const put = (Item: object): Write => ({ Put: { TableName, Item: { ...Item } } });

const putNew = (Item: object): Write => ({
  Put: { TableName, Item: { ...Item }, ConditionExpression: 'attribute_not_exists(pk)' },
});

/** Returns a document's index entries for lists and searches. */
const placesOf = ({ texts, ...shown }: StoredDocument): Write[] => {
  const { id, authorId, title, type, folder, tags, visibility } = shown;
  const base = { id, authorId };
  const isEveryones = visibility === 'everyone';
  const scope = isEveryones ? 'EVERYONE' : (`OF#${authorId}` as const);
  const all = getAllScope(id);
  const lower = [...title.normalize('NFKC').toLowerCase()].slice(0, 240).join('');
  const sortName = `${lower}\u0000`;
  const found = tokenize(title).slice(0, Math.min(20, 41 - tags.length));
  const searched = { ...base, sortName, words: found.map((word) => ` ${word}`).join('') };
  const faceted = { ...base, type, tags, folder };
  const { byId, byName, byFolder, byType, byTag, byAuthor, byWord } = documentKeys;
  const putBoth = (own: Key, { pk, sk }: Key, fields: object): Write =>
    put({ ...own, ...fields, gsi1pk: pk, gsi1sk: sk });
  const writes = [
    put({ ...byId.at({ list: all, id }), ...base }),
    put({ ...byId.at({ list: scope, id }), ...shown }),
    putBoth(byName.at({ list: scope, sortName, id }), byName.at({ list: all, sortName, id }), base),
  ];
  if (folder !== undefined) {
    const own = byFolder.at({ list: scope, ...named(folder), id });
    writes.push(putBoth(own, byFolder.at({ list: all, ...named(folder), id }), faceted));
  }
  const ownType = byType.at({ list: scope, ...named(type), id });
  writes.push(putBoth(ownType, byType.at({ list: all, ...named(type), id }), faceted));
  for (const tag of tags) {
    const own = byTag.at({ list: scope, ...named(tag), id });
    writes.push(putBoth(own, byTag.at({ list: all, ...named(tag), id }), faceted));
  }
  if (isEveryones) writes.push(put({ ...byAuthor.at({ list: scope, authorId, id }), ...base }));
  for (const word of found) {
    const own = byWord.at({ list: scope, word, id });
    writes.push(putBoth(own, byWord.at({ list: all, word, id }), searched));
  }
  return writes;
};

const incrementTotals = (...names: readonly string[]): Write => ({
  Update: {
    TableName,
    Key: counterKeys.total.at({ shard: randomInt(16) }),
    UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, 1])),
  },
});

const countsOf = ({ authorId, visibility }: StoredDocument): Write[] => [
  incrementTotals('documents'),
  {
    Update: {
      TableName,
      Key:
        visibility === 'everyone'
          ? documentKeys.publicCounts.at({ shard: randomInt(16) })
          : documentKeys.counts.at({ userId: authorId, shard: randomInt(4) }),
      UpdateExpression: 'ADD #seen :seen',
      ExpressionAttributeNames: { '#seen': 'seen' },
      ExpressionAttributeValues: { ':seen': 1 },
    },
  },
];

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

const auditOf = (document: StoredDocument, { user }: Actor, origin: Origin): Write[] => {
  const at = new Date().toISOString();
  const id = randomBytes(6).toString('base64url');
  const { title, type, folder, tags, size, visibility, sharedWith, authorId } = document;
  const subject = `document:${document.id}`;
  const entry = {
    id,
    action: 'document.create',
    subject,
    subjectName: title,
    at,
    actorId: user.id,
    actorName: user.name,
    ...origin,
    before: undefined,
    after: {
      title: shorten(title),
      type,
      ...(folder !== undefined && { folder }),
      tags,
      size,
      visibility,
      sharedWith,
      authorId,
    },
    ttl: Math.ceil((Date.now() + auditKeptMs) / 1_000),
  };
  const { pk, sk } = auditKeys.byActor.at({ actorId: user.id, at, id });
  return [
    putNew({ ...entry, ...auditKeys.entry.at({ at, id }), gsi1pk: pk, gsi1sk: sk }),
    putNew({ ...entry, ...auditKeys.bySubject.at({ subject, at, id }) }),
  ];
};

/** Stores a new document of the actor's with its content, index entries, totals and audit entry, all or nothing. */
export const createDocument = async (
  actor: Actor,
  input: z.output<typeof CreateDocumentInput>,
  origin: Origin,
): Promise<Shown> => {
  const { content } = input;
  const size = content == null ? 0 : Buffer.byteLength(content);
  if (size > maxBytes || !(content ?? '').isWellFormed()) {
    throw new HttpError(413, 'PAYLOAD_TOO_LARGE', 'The content is too large');
  }
  const id = newId();
  const texts =
    content == null
      ? undefined
      : { id: randomBytes(16).toString('base64url'), packed: await compress(content, brotli) };
  const now = new Date().toISOString();
  const folder = input.folder || undefined;
  const document: StoredDocument = {
    id,
    authorId: actor.user.id,
    title: input.title ?? input.name ?? '',
    type: input.type ?? 'text',
    tags: [...new Set(input.tags)],
    visibility: input.visibility ?? 'private',
    ...(folder !== undefined && { folder }),
    size,
    sharedWith: [],
    ...(texts && {
      texts: { id: texts.id, place: 'table' as const, parts: [{ name: 'content', bytes: size }] },
    }),
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  await client.send(
    new TransactWriteCommand({
      TransactItems: [
        putNew({ ...document, ...documentKeys.record.at({ id }) }),
        ...(texts ? [put({ ...documentKeys.content.at({ id }), ...texts })] : []),
        ...placesOf(document),
        ...countsOf(document),
        ...auditOf(document, actor, origin),
      ],
      ClientRequestToken: randomUUID(),
    }),
  );
  return show(actor, document, content ?? null, 'Created');
};
