import * as z from 'zod';
import { type ActivityEvent, trackActivity } from '../../../shared/activity/track.ts';
import { assertSendable } from '../../../shared/http/content/compression.ts';
import { representationHeaders } from '../../../shared/http/content/content-negotiation.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import type { Told } from '../../../shared/webhooks/told.ts';
import type { CountView } from '../../api/share/reading/admission.ts';
import { tellOfView } from '../../api/share/reading/share-events.ts';
import type { StoredShare } from '../../api/share/record/share.ts';
import { createViewId } from '../../api/share/record/view-ids.ts';
import { visitHeaders } from '../layout/visit.ts';

/** The headers that tell a person's view from others. */
export const ReadHeaders = z.object({
  ...representationHeaders,
  'sec-purpose': z.string().optional(),
  'sec-fetch-dest': z.string().optional(),
  ...visitHeaders,
});

/**
 * Asserts that a client which accepts these encodings can get the source of a share.
 * @throws AppError NOT_ACCEPTABLE
 */
export const assertSourceSendable = (
  { texts }: Pick<StoredShare, 'texts'>,
  accepted: string | undefined,
): void => {
  const source = texts?.parts.find(({ name }) => name === 'source');
  assertSendable(source?.bytes ?? 0, accepted);
};

interface ViewRequest {
  readonly client: ClientInfo;
  readonly headers: z.output<typeof ReadHeaders>;
  readonly isHead: boolean;
}

/** Whether a person views the page. Excludes prefetches, services and the fetches of the page's own script. */
const isPageView = ({ isHead, headers, client }: ViewRequest): boolean =>
  !isHead &&
  !client.isService &&
  !headers['sec-purpose']?.includes('prefetch') &&
  headers['sec-fetch-dest'] !== 'empty';

/**
 * Returns what counts the view of a request, if a person views the page: of a share that anyone can read. Other views are
 * counted when they are consumed.
 */
export const pageViewCounter = (request: ViewRequest, counts: ActivityEvent['counts']) =>
  isPageView(request)
    ? async (...[found, told, readerId]: Parameters<CountView>): Promise<void> => {
        const tell = (owner: Told) =>
          tellOfView(owner, found, { id: createViewId(), readerId, isCountedLater: true });
        const counted = trackActivity(request.client, { counts, share: found.share.id });
        await Promise.all([counted, told.then(tell)]);
      }
    : undefined;
