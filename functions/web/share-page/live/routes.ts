import * as z from 'zod';
import {
  negotiate,
  Representation,
  representationHeaders,
} from '../../../../shared/http/content/content-negotiation.ts';
import { countEdgeSeconds, isForEveryone } from '../../../../shared/http/edge.ts';
import { route } from '../../../../shared/http/route.ts';
import { getExpiry } from '../../../../shared/input/share-age.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { type Admission, admit, createSharedMemory } from '../../../api/share/reading/admission.ts';
import { ShareId } from '../../../api/share/requests/request-fields.ts';
import { gateTexts as texts } from '../gates/texts.ts';
import { getPageState, isFollowed } from './state.ts';

const maxKnown = 1_000;

/** Its page asks by the id, and a recipient link is one of those that never follow. */
const wanted = { isById: true, isWithoutLinks: true } as const;

const recall = createSharedMemory<string>(maxKnown, () => 1, wanted);

/** @throws AppError UNAUTHORIZED if reading it again takes a view */
const toState = (admission: Admission): string => {
  if (admission.reading === undefined || !isFollowed(admission)) {
    throw new AppError('UNAUTHORIZED', `${texts.openFirst}.`);
  }
  return getPageState(admission);
};

/** What an open page asks to follow the edits of its share (decisions.md#following-edits). */
export const liveRoutes = [
  route({
    endpoint: 'GET /s/{id}/live',
    access: 'optional',
    scope: 'session',
    summary: 'Get the state of a page',
    description:
      'An open page of a share without a password and a view limit asks for it, and loads itself again when it is another. Counts nothing.',
    params: ShareId,
    headers: z.object(representationHeaders),
    output: Representation,
    produces: 'text',
    errors: {
      UNAUTHORIZED:
        'The share has a password or a view limit, or it isn’t open to all and the caller isn’t signed in.',
      GONE: 'The share has ended or was taken down.',
    },
    cache: 'for-seconds',
    handle: async (request) => {
      const { params, headers, actor, cookies } = request;
      if (!isForEveryone(request)) {
        const admission = await admit(params.id, { actor, cookies, asOwner: true }, wanted);
        return negotiate(toState(admission), headers, { caches: 'private' });
      }
      const { admission, value } = await recall(params.id, async (found) => toState(found));
      // The CDN compares the ETags: it couldn't keep a 304.
      return negotiate(
        value,
        {},
        { caches: 'public', edgeSeconds: countEdgeSeconds(getExpiry(admission.share)) },
      );
    },
  }),
];
