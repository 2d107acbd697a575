import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { Reply } from '../../shared/reply.ts';
import { route, type ShownFailure } from '../../shared/route.ts';
import { setting } from '../../shared/settings.ts';
import { passwordLimits } from '../share/limits.ts';
import * as shares from '../share/shares.ts';
import { issueViewToken, isViewToken } from '../share/view-token.ts';
import { pagePolicy } from './layout.ts';
import { confirmPage, failurePage, framePage, markdownPage } from './share-page.ts';

const page = (body: string, status = 200): Reply<string> =>
  new Reply(body, {
    status,
    headers: { 'content-security-policy': pagePolicy(setting('SNIPPETS_URL')) },
  });

const failed = (failure: ShownFailure): Reply<string> => page(failurePage(failure), failure.status);

const needsConfirmation = ({ password, viewLimit }: shares.StoredShare): boolean =>
  password !== undefined || viewLimit !== undefined;

const contentPage = async (share: shares.StoredShare, view: string | undefined) => {
  if (share.language === 'html') {
    const query = view === undefined ? '' : `?view=${view}`;
    return framePage(share, `${setting('SNIPPETS_URL')}/${share.id}${query}`);
  }
  return markdownPage(share, await shares.readText(share, 'html'));
};

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
    query: z.object({ view: z.string().max(2_048).optional() }),
    produces: 'html',
    output: z.string(),
    errors: { GONE: 'Its views are used up, or its time is over' },
    failurePage: failed,
    handle: async ({ params: { id }, query: { view } }) => {
      const found = await shares.find(id);
      const { share, views } = found;
      if (!needsConfirmation(share)) return page(await contentPage(share, undefined));
      if (await isViewToken(view, id)) return page(await contentPage(share, view));
      if (shares.viewsLeft(found) === 0) throw new AppError('GONE', 'This share has ended');
      return page(confirmPage(share, views));
    },
  }),
  route({
    endpoint: 'POST /s/{id}/open',
    access: 'public',
    summary: 'Open a protected or limited share, as one view, and go to its page',
    status: 303,
    params: ShareId,
    body: z.object({ password: z.string().max(64).optional() }),
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
    handle: async ({ params: { id }, body: { password } }) => {
      try {
        await shares.countView(id, password);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'UNAUTHORIZED') throw error;
        const { share, views } = await shares.find(id);
        return page(confirmPage(share, views, 'The password is wrong. Try again.'), error.status);
      }
      const location = `/s/${id}?view=${await issueViewToken(id)}`;
      return new Reply('', { headers: { location } });
    },
  }),
];
