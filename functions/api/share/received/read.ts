import type * as z from 'zod';
import type { PageRequest } from '../../../../shared/lists/pagination.ts';
import { getAudience } from '../record/audience.ts';
import { getShareStatus, getUrl, hasPassword } from '../record/share.ts';
import { getReaders } from './entries.ts';
import { listReceived, type ReceivedShare } from './list.ts';
import { getListedTitle } from './listed-title.ts';
import { readNews } from './news.ts';
import type { ReceivedShareList, ReceivedShareSummary } from './schemas.ts';

/** Converts a share of someone else for the list of a reader, who doesn’t learn whom else it names. */
const toReceived = (
  { found, owner, sharedAt }: ReceivedShare,
  seenAt: string,
): z.output<typeof ReceivedShareSummary> => {
  const { share } = found;
  return {
    id: share.id,
    title: getListedTitle(share) ?? null,
    language: share.language,
    url: getUrl(share.slug ?? share.id),
    from: { id: owner.id, name: owner.name, avatar: owner.avatar ?? null },
    audience: getAudience(share),
    readersCount: Math.max(0, getReaders(share).length - 1),
    sharedAt,
    isNew: sharedAt > seenAt,
    protected: hasPassword(share),
    ...(share.sealed && { sealed: true }),
    status: getShareStatus(found) === 'active' ? 'active' : 'ended',
  };
};

/**
 * Reads a page of what others share with a user, and how much of all is new.
 * @throws AppError VALIDATION_ERROR as `listReceived`
 */
export const readReceived = async (
  userId: number,
  request: PageRequest,
): Promise<z.output<typeof ReceivedShareList>> => {
  const [{ items, ...page }, { seenAt, count }] = await Promise.all([
    listReceived(userId, request),
    readNews(userId),
  ]);
  return { ...page, items: items.map((item) => toReceived(item, seenAt)), new: count };
};
