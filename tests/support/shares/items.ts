import { brotliCompressSync } from 'node:zlib';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import type { ShareAccess, StoredShare } from '../../../functions/api/share/record/share.ts';
import { userKeys } from '../../../shared/auth/keys.ts';

const createdAt = '2026-11-21T11:00:00.000Z';
export const shareId = 'a-share-of-ann-at-noon';
export const content = '<h1>Hello</h1>';

/** The content as stored in the table. */
export const packed = (text: string): Buffer => brotliCompressSync(text);

/** Creates the stored items of an HTML share of user 7. */
export const shareItems = (
  share: Partial<StoredShare> = {},
  access: Partial<ShareAccess> = {},
): Record<string, unknown>[] => [
  {
    ...shareKeys.record.at({ id: shareId }),
    id: shareId,
    ownerId: 7,
    language: 'html',
    createdAt,
    updatedAt: createdAt,
    version: 1,
    texts: {
      id: 'first-texts',
      place: 'table',
      parts: [{ name: 'source', bytes: content.length }],
    },
    ...share,
  },
  {
    ...shareKeys.access.at({ id: shareId }),
    views: 0,
    recentViewIds: Array(40).fill('-'),
    ...(share.viewLimit !== undefined && { viewsBeforeLast: share.viewLimit - 1 }),
    ...(share.expiresAt !== undefined && { expiresAt: share.expiresAt }),
    ...access,
  },
  { ...shareKeys.content.at({ id: shareId }), id: 'first-texts', packed: packed(content) },
];

/** The attributes of user 7 that reading a share requires. */
export const ownerItem = {
  ...userKeys.record.at({ id: 7 }),
  id: 7,
  name: 'Ann Example',
  status: 'active',
};

/** The share in responses of the API, without content. */
export const shownShare = (fields: Record<string, unknown> = {}) => ({
  id: shareId,
  language: 'html',
  title: null,
  description: null,
  viewLimit: null,
  views: 0,
  viewsLeft: null,
  expiresAt: null,
  createdAt,
  updatedAt: createdAt,
  version: 1,
  status: 'active',
  protected: false,
  url: `https://handbill.test/s/${shareId}`,
  ...fields,
});
