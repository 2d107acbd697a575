import * as z from 'zod';
import { trackActivity } from '../../../shared/activity/track.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { route } from '../../../shared/http/route.ts';
import { pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { parseWithoutExtras } from '../../../shared/markdown/without-extras.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import { change } from './change.ts';
import { create } from './create.ts';
import { closeShare } from './ending/close.ts';
import { removeShare } from './ending/delete.ts';
import { ShareChangeInput, ShareId, ShareInput, toNewShare, toShareChange } from './input.ts';
import { creationLimits, passwordLimits } from './limits.ts';
import { listOwn } from './listing.ts';
import { moderationRoutes, readReports, toModerated } from './moderation-routes.ts';
import { find, inspectOwn, open, peek, type ReadShare, readText } from './reading/reading.ts';
import { parseSubjectId } from './record/audit.ts';
import { assertHasOwner } from './record/owner.ts';
import {
  type FoundShare,
  getUrl,
  moderationVersion,
  notFound,
  type StoredShare,
} from './record/share.ts';
import { exampleShare, Language, Share, ShareSummary, toShare, toSummary } from './schemas.ts';

const ShareCreated = z
  .object({
    id: z.string(),
    language: Language,
    message: z.string(),
    url: z.url(),
    password: z
      .string()
      .optional()
      .meta({ description: 'The generated password. It is shown only once.' }),
  })
  .meta({
    id: 'CreatedShare',
    examples: [
      {
        id: exampleShare.id,
        language: 'markdown',
        message: 'Shared',
        url: exampleShare.url,
        password: 'k4Tz9Q',
      },
    ],
  });

const ShareChanged = ShareSummary.extend({
  message: z.string(),
  password: z
    .string()
    .optional()
    .meta({ description: 'The generated password. It is shown only once.' }),
}).meta({ id: 'UpdatedShare', examples: [{ ...exampleShare, message: 'Saved' }] });

const ShareEnded = ShareSummary.extend({ message: z.string() }).meta({
  id: 'EndedShare',
  examples: [{ ...exampleShare, status: 'ended', message: 'Ended' }],
});

const ShareDeleted = z
  .object({ id: z.string(), message: z.string() })
  .meta({ id: 'DeletedShare', examples: [{ id: exampleShare.id, message: 'Deleted' }] });

const OwnShares = z
  .object({
    items: z.array(ShareSummary),
    total: z.int(),
    page: z.int(),
    pageSize: z.int(),
    totalPages: z.int(),
    nextCursor: z.string().nullable(),
  })
  .meta({
    id: 'ShareList',
    examples: [
      { items: [exampleShare], total: 1, page: 1, pageSize: 10, totalPages: 1, nextCursor: null },
    ],
  });

const toCreated = ({ id, language }: StoredShare) => ({
  id,
  language,
  message: 'Shared',
  url: getUrl(id),
});

const contentErrors = {
  PAYLOAD_TOO_LARGE:
    'HTML exceeds 2 MB, Markdown exceeds 512 KB, or the rendered HTML exceeds 4 MB.',
  UNPROCESSABLE: 'The Markdown takes more than 3 s of CPU time to convert.',
} as const;

/** The version by which an actor changes shares: reports count in it for those who manage everybody's. */
const toVersion = ({ permissions }: Actor, share: StoredShare): number =>
  can(permissions, 'shares:manage') ? moderationVersion(share) : share.version;

const toSummaryResponse = (actor: Actor, found: FoundShare): z.output<typeof ShareSummary> => ({
  ...toSummary(found),
  version: toVersion(actor, found.share),
});

const listOfOwn = async (actor: Actor, request: Parameters<typeof listOwn>[1]) => {
  const { items, total, page, pageSize, nextCursor } = await listOwn(actor.user.id, request);
  const shown = items.map((found) => toSummaryResponse(actor, found));
  const totalPages = Math.ceil(total / pageSize);
  return { items: shown, total, page, pageSize, totalPages, nextCursor };
};

const inspectShare = async (actor: Actor, id: string): Promise<z.output<typeof Share>> => {
  const opened = await inspectOwn(actor.user.id, id);
  return { ...toShare(opened), version: toVersion(actor, opened.share) };
};

const signedIn = (actor: Actor | undefined): Actor => {
  if (!actor) throw new AppError('UNAUTHORIZED', 'Sign in to see your own shares');
  return actor;
};

/**
 * Lets its owner change a share as it was seen, or who may manage everybody's; to others it is not there.
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED
 */
const assertCanEdit =
  (actor: Actor, ifMatch: IfMatch | undefined) =>
  async (share: StoredShare): Promise<void> => {
    const isTheirs = share.ownerId === actor.user.id || can(actor.permissions, 'shares:manage');
    if (!isTheirs) throw notFound();
    await assertHasOwner(share, actor.user.id);
    assertVersion(ifMatch, toVersion(actor, share));
  };

/** A share as the actor has read it, with those of its texts and reports that a body sends back. */
const toShareResponse = async (actor: Actor, seen: ReadShare, body: object): Promise<object> => {
  const { share } = seen;
  const isManager = can(actor.permissions, 'shares:manage');
  return {
    ...toSummaryResponse(actor, seen),
    ...('content' in body && { content: await readText(seen, 'source') }),
    ...('html' in body &&
      share.language === 'markdown' && { html: parseWithoutExtras(await readText(seen, 'html')) }),
    ...(isManager && toModerated(share)),
    ...(isManager && 'reportList' in body && { reportList: await readReports(share.id) }),
  };
};

interface ShareRequest {
  readonly query: {
    readonly id?: string | undefined;
    readonly mine?: 'true' | 'false' | undefined;
    readonly password?: string | undefined;
  };
  readonly headers: {
    readonly 'x-share-password'?: string | undefined;
    readonly 'sec-purpose'?: string | undefined;
  };
}

/** Does a browser fetch the share ahead of a view that may never come? */
const isPrefetch = ({ headers }: ShareRequest): boolean =>
  headers['sec-purpose']?.includes('prefetch') ?? false;

/** The password that a request gives, wherever it stands. */
const getPassword = ({ query, headers }: ShareRequest): string | undefined =>
  headers['x-share-password'] ?? query.password;

/** The share whose password a request tries. A look at one's own tries
 * none, so that nobody locks its owner out, nor does a prefetch, which is refused. */
const triedShareKey = (request: ShareRequest): string | undefined => {
  const triesNone = getPassword(request) === undefined || isPrefetch(request);
  return triesNone || request.query.mine === 'true' ? undefined : request.query.id;
};

export const routes = [
  route({
    endpoint: 'POST /api/share',
    access: 'signed-in',
    summary: 'Create a share',
    description:
      'Publishes an HTML or Markdown snippet as a page. A generated password is shown only once. HTML can have up to 2 MB, Markdown up to 512 KB.',
    status: 201,
    body: ShareInput,
    output: ShareCreated,
    errors: contentErrors,
    limits: creationLimits,
    auditAction: 'share.create',
    idempotency: {
      withoutFields: ['password'],
      replay: async (_, subject) => toCreated((await find(parseSubjectId(subject))).share),
    },
    handle: async ({ actor, body, audit }) => {
      const { share, generatedPassword } = await create(actor.user.id, toNewShare(body), audit);
      return { ...toCreated(share), password: generatedPassword };
    },
  }),
  route({
    endpoint: 'GET /api/share',
    access: 'optional',
    summary: 'Get a share or your shares',
    description:
      'With `id`, returns the share and counts a view. With `mine=true`, lists your shares; with both, returns your share without counting a view.',
    query: z.object({
      id: z.string().min(1).max(64).optional().meta({ description: 'The id of a share.' }),
      mine: z.enum(['true', 'false'], 'must be true or false').optional().meta({
        description: '`true` lists your shares; with `id`, it returns one without counting a view.',
      }),
      password: z.string().max(64).optional().meta({
        description:
          'The password of a protected share. Prefer the header `X-Share-Password`: URLs are often logged.',
      }),
      ...pageQuery,
      ...sortBy(['createdAt']),
    }),
    readsList: ({ id, mine }) => id === undefined && mine === 'true',
    headers: z.object({
      'x-share-password': z
        .string()
        .max(64)
        .optional()
        .meta({ description: 'The password of a protected share.' }),
      'sec-purpose': z
        .string()
        .optional()
        .meta({ description: '`prefetch` is refused with 400 and counts no view.' }),
    }),
    output: z.union([Share, OwnShares]),
    // Only of the owner's look: a view is counted, however well its content is known.
    versionOf: (body, { mine }) =>
      mine === 'true' && 'version' in body ? body.version : undefined,
    errors: {
      UNAUTHORIZED:
        'The password is missing or incorrect, or `mine=true` is used without signing in.',
      NOT_FOUND: 'The share doesn’t exist, or with `mine=true` isn’t yours.',
      GONE: 'The share has reached its view limit, has expired, or was taken down.',
    },
    limits: passwordLimits(triedShareKey),
    handle: async ({ actor, query, headers, isHead, client }) => {
      const { id, mine, ...request } = query;
      const isMine = mine === 'true';
      if (id === undefined) {
        if (!isMine) throw invalidField('id', 'is required, or mine=true');
        return listOfOwn(signedIn(actor), request);
      }
      if (isMine) return inspectShare(signedIn(actor), id);
      if (isPrefetch({ query, headers })) {
        // A view that nobody may ever look at; a browser that is refused asks again when it is needed.
        throw invalidField(
          'sec-purpose',
          'must not be prefetch: a share is fetched when it is viewed',
        );
      }
      const password = getPassword({ query, headers });
      if (isHead) return toShare(await peek(id, password));
      const noteView = () => trackActivity(client, { counts: ['views'] });
      return toShare(await open(id, password, noteView));
    },
  }),
  route({
    endpoint: 'PUT /api/share/{id}',
    access: 'signed-in',
    summary: 'Update a share',
    description:
      'Changes only the fields you send; `null` clears a field. Only its owner, or a user with `shares:manage`, can do this. A share that has ended can’t be changed.',
    params: ShareId,
    body: ShareChangeInput,
    output: ShareChanged,
    errors: {
      ...contentErrors,
      VALIDATION_ERROR:
        'A field is invalid; for example, `viewLimit` does not exceed the current views. `details` names each one.',
      GONE: 'The share has ended or was taken down.',
    },
    limits: creationLimits,
    auditAction: 'share.update',
    versionOf: ({ version }) => version,
    handle: async ({ actor, params, body, audit: noted, ifMatch }) => {
      const { found, generatedPassword: password } = await change(
        params.id,
        async (seen) => toShareChange(body, await toShareResponse(actor, seen, body)),
        assertCanEdit(actor, ifMatch),
        noted,
      );
      return { ...toSummaryResponse(actor, found), message: 'Saved', password };
    },
  }),
  route({
    endpoint: 'POST /api/share/{id}/end',
    access: 'signed-in',
    summary: 'End a share',
    description: 'The share responds with 410 from now on, and its content is deleted.',
    params: ShareId,
    output: ShareEnded,
    errors: { GONE: 'The share has already ended or was taken down.' },
    auditAction: 'share.end',
    versionOf: ({ version }) => version,
    handle: async ({ actor, params, audit: noted, ifMatch }) => {
      const check = assertCanEdit(actor, ifMatch);
      const found = await closeShare(params.id, actor.user.id, check, noted);
      return { ...toSummaryResponse(actor, found), message: 'Ended' };
    },
  }),
  route({
    endpoint: 'DELETE /api/share/{id}',
    access: 'signed-in',
    summary: 'Delete a share',
    description: 'Deletes the share with its content. Its page responds with 404 from now on.',
    params: ShareId,
    output: ShareDeleted,
    auditAction: 'share.delete',
    versionOf: () => undefined,
    handle: async ({ actor, params, audit: noted, ifMatch }) => {
      const by = { id: actor.user.id, change: noted };
      await removeShare(params.id, assertCanEdit(actor, ifMatch), by);
      return { id: params.id, message: 'Deleted' };
    },
  }),
  ...moderationRoutes,
];
