import * as z from 'zod';
import { trackActivity } from '../../../shared/activity/track.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertSendable } from '../../../shared/http/content/compression.ts';
import { encodingHeaders } from '../../../shared/http/content/content-negotiation.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { type ListResult, pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import { getVersion, toSummaryResponse } from './changing/edit-check.ts';
import { ownStatus } from './listing/filters.ts';
import { findOwn, listOwnByStatus, loadOwn } from './listing/listing.ts';
import { findNewest, maxSummarized, summarize } from './listing/summary.ts';
import { admitEditor } from './reading/admission.ts';
import { issueSealedEndToken } from './reading/end-token.ts';
import { findCountedAt, toViewIds } from './reading/form-views.ts';
import { issueOwnFilesPrefix, openContent, openWithoutView } from './reading/open.ts';
import {
  admitViewer,
  assertReader,
  getGiven,
  getTriedKey,
  getTriedShare,
  isPrefetch,
  readOwnViews,
} from './reading/view-request.ts';
import { type FoundShare, notFound, type OpenedShare } from './record/share.ts';
import { resolveShareId } from './record/slugs.ts';
import { passwordLimits, proofLimits } from './requests/limits.ts';
import { readReaderList } from './requests/reader-list.ts';
import { Share, ShareList, SharesSummary, toReaderShare, toShare } from './requests/schemas.ts';
import { readTools } from './tools.ts';

const toOwnPage = (
  actor: Actor,
  { items, total, totalIsExact, page, pageSize, nextCursor }: ListResult<FoundShare>,
) => {
  const summaries = items.map((found) => toSummaryResponse(actor, found));
  const totalPages = Math.ceil(total / pageSize);
  return { items: summaries, total, totalIsExact, page, pageSize, totalPages, nextCursor };
};

const readOwnShare = async (actor: Actor, id: string): Promise<z.output<typeof Share>> => {
  const found = await admitEditor(id, ({ ownerId }) => {
    if (ownerId !== actor.user.id) throw notFound();
  });
  const [opened, readerList] = await Promise.all([
    found.readContent(),
    readReaderList(actor, found.share),
  ]);
  const filesPrefix = await issueOwnFilesPrefix(opened.share);
  return {
    ...toShare({ ...opened, filesPrefix }),
    version: getVersion(actor, opened.share),
    readerList,
  };
};

const assertSignedIn = (actor: Actor | undefined): Actor => {
  if (!actor)
    throw new AppError(
      'UNAUTHORIZED',
      'Sign in to see your shares, or use an API token with shares:view.',
    );
  return actor;
};

/** Reading a share, and lists and figures of your own (decisions.md#views). */
export const readRoutes = [
  route({
    endpoint: 'GET /api/share',
    access: 'optional',
    scope: 'shares:view',
    summary: 'Get a share or your shares',
    description:
      'With `id`, returns the share and counts a view. With `mine=true`, lists your shares; with both, returns your share without counting a view.',
    query: z.object({
      id: z.string().min(1).max(64).optional().meta({
        description:
          'The id or slug of a share, or the id of a recipient link: the view counts for it, too, and the response has its id and address.',
      }),
      mine: z.enum(['true', 'false'], 'must be true or false').optional().meta({
        description: '`true` lists your shares; with `id`, it returns one without counting a view.',
      }),
      password: z.string().max(64).optional().meta({
        description:
          'The password of a protected share. Prefer the header `X-Share-Password`: URLs are often logged.',
      }),
      status: ownStatus,
      ...pageQuery,
      ...sortBy(['createdAt']),
    }),
    readsList: ({ id, mine }) => id === undefined && mine === 'true',
    headers: z.object({
      ...encodingHeaders,
      'x-share-password': z
        .string()
        .max(64)
        .optional()
        .meta({ description: 'The password of a protected share.' }),
      'x-share-proof': z.string().max(64).optional().meta({
        description: 'The proof of the key of a sealed share, which is never sent itself.',
      }),
      'x-share-claim': z.string().min(8).max(64).optional().meta({
        description:
          'A nonce of the client: requests with the same one within a minute are one view, also after a response was lost.',
      }),
      'sec-purpose': z
        .string()
        .optional()
        .meta({ description: '`prefetch` results in 400 and counts no view.' }),
    }),
    output: z.union([Share, ShareList]).meta({ id: 'ShareOrList' }),
    // Only for owners: a view is counted even if the client has the content.
    versionOf: (body, { mine }) =>
      mine === 'true' && 'version' in body ? body.version : undefined,
    errors: {
      UNAUTHORIZED:
        'The password, or the proof of a sealed share, is missing or incorrect, the share isn’t open to all, or `mine=true` is used without signing in.',
      NOT_FOUND: 'The share doesn’t exist, isn’t for you, or with `mine=true` isn’t yours.',
      GONE: 'The share or its link has reached its view limit, has expired, was revoked or taken down.',
      NOT_ACCEPTABLE:
        'The share is larger than 4 MB, and the client accepts no compression. No view is counted.',
    },
    limits: [...passwordLimits(getTriedShare), ...proofLimits(getTriedKey)],
    tools: readTools,
    readAhead: (userId, { id, mine, status, ...request }) =>
      id === undefined && mine === 'true' && status === undefined
        ? findOwn(userId, request)
        : undefined,
    handle: async ({ actor, query, headers, cookies, isHead, client, ahead }) => {
      const { id: idOrSlug, mine, status, ...request } = query;
      const isMine = mine === 'true';
      if (idOrSlug === undefined) {
        if (!isMine) throw invalidField('id', 'is required unless mine=true');
        const owner = assertSignedIn(actor);
        return toOwnPage(
          owner,
          status === undefined
            ? await loadOwn(await (ahead ?? findOwn(owner.user.id, request)))
            : await listOwnByStatus(owner.user.id, status, request),
        );
      }
      if (isMine) {
        const owner = assertSignedIn(actor);
        return readOwnShare(owner, await resolveShareId(idOrSlug));
      }
      if (isPrefetch({ headers })) {
        // The view may never happen. After an error, the browser repeats the request when it does.
        throw new AppError('VALIDATION_ERROR', 'Shares can’t be prefetched.', {
          details: [{ field: 'sec-purpose', message: 'must not be prefetch' }],
        });
      }
      assertReader(client);
      const admission = await admitViewer({ actor, query, headers, cookies });
      const given = getGiven({ query, headers });
      if (isHead) {
        const peeked = toReaderShare(await openWithoutView(admission, given), admission.link);
        return new Reply(peeked, { hidesLength: admission.reading === undefined });
      }
      const { link } = admission;
      const endToken = await issueSealedEndToken(admission);
      const show = (opened: OpenedShare) => ({ ...toReaderShare(opened, link), endToken });
      const assertIsSendable = (opened: OpenedShare): void => {
        const json = JSON.stringify(show(opened));
        assertSendable(Buffer.byteLength(json), headers['accept-encoding']);
      };
      const views = readOwnViews({ actor, query, headers }, admission.share);
      const ids = toViewIds(views);
      const countedAt = (viewId: string) => findCountedAt(views, viewId, Date.now());
      const onConsumed = (consumed: string) => {
        const view = views.find(({ viewId }) => viewId === consumed);
        const claim = view && { at: view.at, claim: `${admission.addressId} ${consumed}` };
        return trackActivity(client, { counts: ['views'], ...claim });
      };
      const options = { assertSendable: assertIsSendable, onConsumed };
      const opened = await openContent(admission, given, {
        ...options,
        ...(ids && { views: { ids, countedAt } }),
      });
      return show(opened);
    },
  }),
  route({
    endpoint: 'GET /api/share/summary',
    access: 'signed-in',
    scope: 'shares:view',
    summary: 'Get figures of your shares',
    description: `Sums up your newest shares, at most ${maxSummarized}: \`counted\` says how many.`,
    output: SharesSummary,
    readAhead: findNewest,
    handle: async ({ actor, ahead }) => summarize(await (ahead ?? findNewest(actor.user.id))),
  }),
];
