import * as z from 'zod';
import type { Actor } from '../../shared/actor.ts';
import { AppError, invalidField } from '../../shared/errors.ts';
import { pageQuery } from '../../shared/page.ts';
import { route } from '../../shared/route.ts';
import { ShareInput, toNewShare } from './input.ts';
import * as shares from './shares.ts';

const Language = z.enum(['html', 'markdown']);

const ShareCreated = z
  .object({
    id: z.string(),
    language: Language,
    message: z.string(),
    url: z.url(),
    password: z.string().optional(),
  })
  .meta({ id: 'ShareCreated' });

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
  .meta({ id: 'ShareSummary' });

const Share = ShareSummary.extend({ content: z.string(), html: z.string().optional() }).meta({
  id: 'Share',
});

const OwnShares = z
  .object({
    items: z.array(ShareSummary),
    total: z.int(),
    page: z.int(),
    pageSize: z.int(),
    totalPages: z.int(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'OwnShares' });

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

export const routes = [
  route({
    endpoint: 'POST /api/share',
    access: 'signed-in',
    summary: 'Share an HTML or Markdown snippet',
    status: 201,
    body: ShareInput,
    output: ShareCreated,
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
      id: z.string().min(1).optional(),
      mine: z.enum(['true', 'false'], 'must be true or false').optional(),
      password: z.string().max(64).optional(),
      ...pageQuery,
    }),
    headers: z.object({ 'x-share-password': z.string().max(64).optional() }),
    output: z.union([Share, OwnShares]),
    handle: async ({ actor, query, headers }) => {
      const { id, mine, password, ...request } = query;
      const isMine = mine === 'true';
      if (id === undefined) {
        if (!isMine) throw invalidField('id', 'is required, or mine=true');
        return listOwn(signedIn(actor), request);
      }
      return toShare(
        isMine
          ? await shares.openOwn(signedIn(actor).user.id, id)
          : await shares.open(id, headers['x-share-password'] ?? password),
      );
    },
  }),
];
