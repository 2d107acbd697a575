import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { Reply } from '../../shared/reply.ts';
import { route, type ShownFailure } from '../../shared/route.ts';
import { setting } from '../../shared/settings.ts';
import { enqueueBriefly } from '../jobs/queue.ts';
import { admits, wantsView } from '../share/admission.ts';
import { claimOf } from '../share/gate.ts';
import { passwordLimits } from '../share/limits.ts';
import { type ReadShare, read, take, textOf } from '../share/reading.ts';
import { urlOf } from '../share/share.ts';
import { issueViewToken } from '../share/view-token.ts';
import { pagePolicy } from './layout.ts';
import { confirmPage, failurePage, framePage, markdownPage } from './share-page.ts';

const page = (body: string, status = 200): Reply<string> =>
  new Reply(body, {
    status,
    headers: { 'content-security-policy': pagePolicy(setting('SNIPPETS_URL')) },
  });

const failed = (failure: ShownFailure): Reply<string> => page(failurePage(failure), failure.status);

const contentPage = async (found: ReadShare, view: string | undefined) => {
  const { share } = found;
  if (share.language === 'html') {
    const query = view === undefined ? '' : `?view=${view}`;
    return framePage(share, `${setting('SNIPPETS_URL')}/${share.id}${query}`);
  }
  return markdownPage(share, await textOf(found, 'html'));
};

const rawHeaders = {
  // Should a browser take the text for something else, that has no rights here.
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
};

/** A view without a limit is counted by the queue. What a browser fetches in case somebody looks at it is none. */
const noteView = async (
  { share }: ReadShare,
  isLookedAt: boolean,
  view: string | undefined,
): Promise<void> => {
  if (isLookedAt && !wantsView(share) && view === undefined) {
    await enqueueBriefly('share-viewed', { id: share.id });
  }
};

/** Names a view for a minute: whoever sends the form twice, as by a double click, takes one. */
const claimBy = (id: string, nonce: string | undefined): string | undefined =>
  nonce === undefined ? undefined : claimOf(`${id} ${nonce} ${Math.floor(Date.now() / 60_000)}`);

const ViewQuery = z.object({ view: z.string().max(2_048).optional() });
const PurposeHeaders = z.object({ 'sec-purpose': z.string().optional() });

const isPrefetch = (headers: z.output<typeof PurposeHeaders>): boolean =>
  headers['sec-purpose']?.includes('prefetch') ?? false;

interface OpenInput {
  readonly params: { readonly id: string };
  readonly body: { readonly password?: string | undefined };
}

const ShareId = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });

export const routes = [
  route({
    endpoint: 'GET /s/{id}',
    access: 'public',
    summary: 'The page of a share; a protected or limited one first asks, and counts nothing',
    params: ShareId,
    query: ViewQuery,
    headers: PurposeHeaders,
    produces: 'html',
    output: z.string(),
    errors: { GONE: 'Its views are used up, its time is over, or it was taken down' },
    failurePage: failed,
    handle: async ({ params: { id }, query: { view }, headers, isHead }) => {
      const found = await read(id);
      if (!(await admits(found, view))) return page(confirmPage(found));
      const isLookedAt = !isHead && !isPrefetch(headers);
      const [body] = await Promise.all([
        contentPage(found, view),
        noteView(found, isLookedAt, view),
      ]);
      return page(body);
    },
  }),
  route({
    endpoint: 'GET /s/{id}/raw',
    access: 'public',
    summary:
      'What was shared, as plain text; a protected or limited share wants the view of its page',
    params: ShareId,
    query: ViewQuery,
    headers: PurposeHeaders,
    produces: 'text',
    output: z.string(),
    errors: {
      UNAUTHORIZED: 'It wants a view, or another one: open it on its page',
      GONE: 'Its views are used up, its time is over, or it was taken down',
    },
    failurePage: failed,
    handle: async ({ params: { id }, query: { view }, headers, isHead }) => {
      const found = await read(id);
      if (!(await admits(found, view))) {
        throw new AppError('UNAUTHORIZED', `Open the share first, at ${urlOf(id)}`);
      }
      const isLookedAt = !isHead && !isPrefetch(headers);
      const [text] = await Promise.all([
        textOf(found, 'source'),
        noteView(found, isLookedAt, view),
      ]);
      return new Reply(text, { headers: rawHeaders });
    },
  }),
  route({
    endpoint: 'POST /s/{id}/open',
    access: 'public',
    summary: 'Open a protected or limited share, as one view, and go to its page',
    status: 303,
    params: ShareId,
    body: z.object({
      password: z.string().max(64).optional(),
      claim: z.string().max(64).optional(),
    }),
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    errors: {
      UNAUTHORIZED: 'The password is missing or wrong: the page asks for it again',
      GONE: 'Its views are used up, or its time is over',
    },
    limits: passwordLimits(({ params, body }: OpenInput) =>
      body.password === undefined ? undefined : params.id,
    ),
    failurePage: failed,
    handle: async ({ params: { id }, body: { password, claim } }) => {
      try {
        await take(id, password, claimBy(id, claim));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'UNAUTHORIZED') throw error;
        const wrong = 'The password is wrong. Try again.';
        return page(confirmPage(await read(id), wrong), error.status);
      }
      const location = `/s/${id}?view=${await issueViewToken(id)}`;
      return new Reply('', { headers: { location } });
    },
  }),
];
