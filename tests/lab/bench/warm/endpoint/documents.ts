import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type * as z from 'zod';
import type { StoredDocument } from '../../../../../functions/api/documents/document.ts';
import { documentKeys } from '../../../../../functions/api/documents/keys.ts';
import { Document } from '../../../../../functions/api/documents/schemas.ts';

import { userKeys } from '../../../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../../../shared/auth/user.ts';
import { Success } from '../../../../../shared/http/envelope.ts';
import { type Actor, can } from './actor.ts';
import { notFound } from './errors.ts';
import { readTwo } from './table.ts';

/** The response of both endpoints. */
export const Output = Success(Document);
export type Shown = z.output<typeof Output>;

const decompress = promisify(brotliDecompress);

/** Returns a document as the actor sees it. */
export const show = async (
  actor: Actor,
  document: StoredDocument,
  content: string | null,
  message?: string,
): Promise<Shown> => {
  const { id, title, type, folder, tags, size, authorId, visibility } = document;
  const { sharedWith, version, createdAt, updatedAt } = document;
  const isOwn = authorId === actor.user.id;
  const author = isOwn
    ? actor.user
    : (
        await readTwo<StoredUser, unknown>(
          userKeys.record.at({ id: authorId }),
          userKeys.record.at({ id: actor.user.id }),
        )
      )[0];
  if (!author) throw notFound();
  const seesAll = isOwn || can(actor, 'documents:manage');
  return {
    success: true,
    data: {
      id,
      title,
      name: title,
      type,
      folder: folder ?? null,
      tags: [...tags],
      size,
      author_id: authorId,
      author: { id: author.id, name: author.name, avatar: author.avatar ?? null },
      visibility,
      everyoneRole: document.everyoneRole ?? 'reader',
      sharedWith: seesAll ? [...sharedWith] : sharedWith.filter((to) => to === actor.user.id),
      version,
      created_at: createdAt,
      updated_at: updatedAt,
      createdAt,
      updatedAt,
      content,
      actions: [
        ...(seesAll && can(actor, 'documents:update') ? (['edit', 'manage'] as const) : []),
        ...(seesAll && can(actor, 'documents:delete') ? (['delete'] as const) : []),
      ],
      editedBy: { id: author.id, name: author.name, avatar: author.avatar ?? null },
      editedAt: createdAt,
      editing: [],
    },
    ...(message !== undefined && { message }),
  };
};

interface Texts {
  readonly id: string;
  readonly content: Uint8Array;
}

/** Returns a document with its content, if the actor can view it. */
export const readDocument = async (actor: Actor, id: number): Promise<Shown> => {
  const [document, texts] = await readTwo<StoredDocument, Texts>(
    documentKeys.record.at({ id }),
    documentKeys.content.at({ id }),
  );
  if (!document || document.deletedAt !== undefined) throw notFound();
  const { visibility, sharedWith, authorId } = document;
  const isSeen =
    visibility === 'everyone' ||
    authorId === actor.user.id ||
    sharedWith.includes(actor.user.id) ||
    can(actor, 'documents:manage');
  if (!isSeen) throw notFound();
  if (!document.texts) return show(actor, document, null);
  if (texts?.id !== document.texts.id) throw notFound();
  return show(actor, document, (await decompress(texts.content)).toString());
};
