import * as z from 'zod';
import type { Actor } from '../../shared/actor.ts';
import { AppError, invalidField } from '../../shared/errors.ts';
import { pageQuery } from '../../shared/page.ts';
import { route } from '../../shared/route.ts';
import { ShareInput, toNewShare } from './input.ts';
import { creationLimits, passwordLimits } from './limits.ts';
import * as shares from './shares.ts';

const Language = z.enum(['html', 'markdown']);

const example = {
  id: 'mZ3kP0cWbq7x1VvH9sTt2A',
  language: 'markdown' as const,
  title: 'A note',
  description: null,
  viewLimit: 3,
  views: 1,
  viewsLeft: 2,
  expiresAt: null,
  createdAt: '2026-11-21T12:00:00.000Z',
  protected: true,
  url: 'https://handbill.example.com/s/mZ3kP0cWbq7x1VvH9sTt2A',
};

const ShareCreated = z
  .object({
    id: z.string(),
    language: Language,
    message: z.string(),
    url: z.url(),
    password: z.string().optional(),
  })
  .meta({
    id: 'ShareCreated',
    examples: [
      {
        id: example.id,
        language: 'markdown',
        message: 'Shared',
        url: example.url,
        password: 'k4Tz9Q',
      },
    ],
  });

const ShareSummary = z
  .object({
    id: z.string(),
    language: Language,
    title: z.string().nullable(),
    description: z.string().nullable(),
    viewLimit: z.int().nullable(),
    views: z.int(),
    viewsLeft: z.int().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    protected: z.boolean(),
    url: z.url(),
  })
  .meta({ id: 'ShareSummary', examples: [example] });

const Share = ShareSummary.extend({
  content: z.string(),
  html: z.string().optional().meta({ description: 'Only of Markdown: the rendered fragment' }),
}).meta({ id: 'Share', examples: [{ ...example, content: '# Hi', html: '<h1>Hi</h1>' }] });

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
    id: 'OwnShares',
    examples: [
      { items: [example], total: 1, page: 1, pageSize: 10, totalPages: 1, nextCursor: null },
    ],
  });

const toSummary = (found: shares.FoundShare): z.output<typeof ShareSummary> => ({
  id: found.share.id,
  language: found.share.language,
  title: found.share.title ?? null,
  description: found.share.description ?? null,
  viewLimit: found.share.viewLimit ?? null,
  views: found.views,
  viewsLeft: shares.viewsLeft(found),
  expiresAt: found.share.expiresAt ?? null,
  createdAt: found.share.createdAt,
  protected: found.share.password !== undefined,
  url: shares.urlOf(found.share.id),
});

const toShare = (opened: shares.OpenedShare): z.output<typeof Share> => ({
  ...toSummary(opened),
  content: opened.source,
  html: opened.html,
});

const listOwn = async (actor: Actor, request: Parameters<typeof shares.listOwn>[1]) => {
  const { items, total, page, pageSize, nextCursor } = await shares.listOwn(actor.user.id, request);
  const totalPages = Math.ceil(total / pageSize);
  return { items: items.map(toSummary), total, page, pageSize, totalPages, nextCursor };
};

const signedIn = (actor: Actor | undefined): Actor => {
  if (!actor) throw new AppError('UNAUTHORIZED', 'Sign in to see your own shares');
  return actor;
};

interface ShareRequest {
  readonly query: { readonly id?: string | undefined; readonly password?: string | undefined };
  readonly headers: { readonly 'x-share-password'?: string | undefined };
}

/** The password that a request gives, wherever it stands. */
const passwordOf = ({ query, headers }: ShareRequest): string | undefined =>
  headers['x-share-password'] ?? query.password;

export const routes = [
  route({
    endpoint: 'POST /api/share',
    access: 'signed-in',
    summary: 'Share an HTML or Markdown snippet',
    status: 201,
    body: ShareInput,
    output: ShareCreated,
    errors: {
      PAYLOAD_TOO_LARGE:
        'HTML past 2 MB, Markdown past 512 KB, or what it is rendered to past 4 MB',
      UNPROCESSABLE: 'Markdown that takes more than 1 s of CPU to convert',
    },
    limits: creationLimits,
    handle: async ({ actor, body }) => {
      const { share, generatedPassword } = await shares.create(actor.user.id, toNewShare(body));
      return {
        id: share.id,
        language: share.language,
        message: 'Shared',
        url: shares.urlOf(share.id),
        ...(generatedPassword !== undefined && { password: generatedPassword }),
      };
    },
  }),
  route({
    endpoint: 'GET /api/share',
    access: 'optional',
    summary: "One share by `id`, which counts a view, or with `mine=true` one's own shares",
    query: z.object({
      id: z.string().min(1).max(64).optional().meta({ description: 'One share' }),
      mine: z
        .enum(['true', 'false'], 'must be true or false')
        .optional()
        .meta({ description: "One's own shares; with `id`, a look at one that counts nothing" }),
      password: z
        .string()
        .max(64)
        .optional()
        .meta({ description: 'The password of a protected share' }),
      ...pageQuery,
    }),
    headers: z.object({
      'x-share-password': z
        .string()
        .max(64)
        .optional()
        .meta({ description: 'The password, where an address is no place for it' }),
    }),
    output: z.union([Share, OwnShares]),
    errors: {
      UNAUTHORIZED: 'The password is missing or wrong, or `mine=true` without a user',
      NOT_FOUND: "There is no such share, or with `mine=true` it is somebody else's",
      GONE: 'Its views are used up, or its time is over',
    },
    limits: passwordLimits((request: ShareRequest) =>
      passwordOf(request) === undefined ? undefined : request.query.id,
    ),
    handle: async ({ actor, query, headers, isHead }) => {
      const { id, mine, ...request } = query;
      const isMine = mine === 'true';
      if (id === undefined) {
        if (!isMine) throw invalidField('id', 'is required, or mine=true');
        return listOwn(signedIn(actor), request);
      }
      if (isMine) return toShare(await shares.openOwn(signedIn(actor).user.id, id));
      const password = passwordOf({ query, headers });
      return toShare(await (isHead ? shares.peek : shares.open)(id, password));
    },
  }),
];
