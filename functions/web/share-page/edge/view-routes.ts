import * as z from 'zod';
import { trackActivity } from '../../../../shared/activity/track.ts';
import { isBehindEdge } from '../../../../shared/http/edge.ts';
import { route } from '../../../../shared/http/route.ts';
import { admit, createSharedMemory } from '../../../api/share/reading/admission.ts';
import { toViewEvent } from '../../../api/share/reading/share-events.ts';
import { createViewId, toViewId } from '../../../api/share/record/view-ids.ts';
import { ShareId } from '../../../api/share/requests/request-fields.ts';

const maxKnown = 1_000;

/** A page by a recipient link takes a view itself. */
const wanted = { isWithoutLinks: true } as const;

const recall = createSharedMemory<undefined>(maxKnown, () => 1, wanted);

const PageView = z
  .strictObject({
    claim: z.string().min(8).max(64).optional().meta({
      description: 'A random id of the view: repeated requests count once.',
    }),
  })
  .meta({ examples: [{ claim: '3f0f8a1e-5a43-4d4c-9a0b-2f4f0c9d7a11' }] });

const PageViewer = z
  .object({ isOwner: z.boolean().meta({ description: 'Whether the reader is the owner.' }) })
  .meta({ examples: [{ isOwner: false }] });

/** What the script of a page from the CDN asks (decisions.md#edge). */
export const viewRoutes = [
  route({
    endpoint: 'POST /s/{id}/view',
    access: 'optional',
    scope: 'session',
    summary: 'Count a page view',
    description:
      'For pages from a CDN, whose views this service doesn’t see, and those that were reached from another site, which gets no session. Counts only shares without a password and a view limit, and not the owner’s views.',
    params: ShareId,
    body: PageView,
    output: PageViewer,
    errors: {
      UNAUTHORIZED: 'The share isn’t open to all, and the caller isn’t signed in.',
      GONE: 'The share has ended or was taken down.',
    },
    auditAction: 'none',
    handle: async ({ actor, params: { id }, body: { claim }, client }) => {
      const admission =
        isBehindEdge() && actor === undefined
          ? (await recall(id, async () => undefined)).admission
          : await admit(id, { actor }, wanted);
      const { share, reading, told } = admission;
      const isOwner = actor?.user.id === share.ownerId;
      if (reading === 'free' && !isOwner && !client.isService) {
        const name = claim === undefined ? undefined : `${share.id} ${claim}`;
        const id = name === undefined ? createViewId() : toViewId(name);
        await trackActivity(client, {
          counts: ['pageViews', 'views'],
          share: share.id,
          ...(name !== undefined && { claim: name }),
          event: toViewEvent(told, admission, { id, isCountedLater: true }),
        });
      }
      return { isOwner };
    },
  }),
];
