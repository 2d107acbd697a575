import * as z from 'zod';
import { type ActivityEvent, trackActivity } from '../../../shared/activity/track.ts';
import { representationHeaders } from '../../../shared/http/content-negotiation.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import type { StoredShare } from '../../api/share/record/share.ts';

/** The headers that tell a person's view from others. */
export const ReadHeaders = z.object({
  ...representationHeaders,
  'sec-purpose': z.string().optional(),
  'sec-fetch-dest': z.string().optional(),
});

/** Whether a person views the page. Excludes prefetches and the fetches of the page's own script. */
export const isPageView = (isHead: boolean, headers: z.output<typeof ReadHeaders>): boolean =>
  !isHead && !headers['sec-purpose']?.includes('prefetch') && headers['sec-fetch-dest'] !== 'empty';

/** Tracks a page view of a share that anyone can read. Other views are counted when they are consumed. */
export const trackPageView = (
  client: ClientInfo,
  share: StoredShare,
  counts: ActivityEvent['counts'],
): Promise<void> => trackActivity(client, { counts, share: share.id });
