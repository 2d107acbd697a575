import * as z from 'zod';
import { type Happening, noteActivity } from '../../../shared/activity/track.ts';
import { prefersHtml } from '../../../shared/http/accept.ts';
import {
  Representation,
  represent,
  representationHeaders,
} from '../../../shared/http/content-negotiation.ts';
import { contentTypes } from '../../../shared/http/http.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { type Caller, route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { setting } from '../../../shared/runtime/settings.ts';
import { ShareId } from '../../api/share/input.ts';
import { passwordLimits } from '../../api/share/limits.ts';
import { admits, wantsView } from '../../api/share/reading/access.ts';
import {
  find,
  type ReadShare,
  read,
  sourceAlong,
  take,
  textOf,
} from '../../api/share/reading/reading.ts';
import { issueViewToken } from '../../api/share/reading/view-token.ts';
import { authorOf } from '../../api/share/record/owner.ts';
import { endOf, isForgotten, notFound, type StoredShare } from '../../api/share/record/share.ts';
import { headingOf } from '../layout/rendered-html.ts';
import { attachment, fileName } from './attachment.ts';
import { claimsOf, viewsOfForm } from './form-submissions.ts';
import { failed, failedText, pageHeaders } from './page-reply.ts';
import { reportRoutes } from './report-routes.ts';
import { framePage, markdownPage, type Opened } from './share-page.ts';
import { confirmPage, openFirstPage } from './simple-pages.ts';
import { sharePageTexts as texts } from './texts.ts';

const contentPage = (opened: Opened, rendered: string | undefined): string => {
  if (rendered !== undefined) return markdownPage(opened, rendered);
  const { share, view } = opened;
  const query = view === undefined ? '' : `?view=${view}`;
  return framePage(opened, `${setting('SNIPPETS_URL')}/${share.id}${query}`);
};

/** Should a browser take the text for something else, that has no rights here. */
const rawPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** The content is saved as a file with the share's title, or the text's own, for a name. */
const savedAs = async (found: ReadShare): Promise<string> => {
  const { title, language } = found.share;
  if (language === 'html') return attachment(fileName(title, 'html'));
  return attachment(fileName(title ?? headingOf(await textOf(found, 'html')), 'md'));
};

/**
 * Has a look counted by the queue, as a view of the share and on its page also as one of a page. What wants a view was
 * counted when that was taken: the page and the raw text are the same view.
 */
const noteLook = async (
  caller: Caller,
  share: StoredShare,
  counts: Happening['counts'],
): Promise<void> => {
  if (!wantsView(share)) await noteActivity(caller, { counts, share: share.id });
};

const ViewQuery = z.object({ view: z.string().max(2_048).optional() });
const ReadHeaders = z.object({
  ...representationHeaders,
  'sec-purpose': z.string().optional(),
  'sec-fetch-dest': z.string().optional(),
});

/** Is somebody looking? Not where a browser fetches in case of it, nor where our own page fetches what it has shown. */
const isLook = (isHead: boolean, headers: z.output<typeof ReadHeaders>): boolean =>
  !isHead && !headers['sec-purpose']?.includes('prefetch') && headers['sec-fetch-dest'] !== 'empty';

interface OpenInput {
  readonly params: { readonly id: string };
  readonly body: { readonly password?: string | undefined };
}

export const routes = [
  route({
    endpoint: 'GET /s/{id}',
    access: 'public',
    summary: 'Show a share',
    description:
      'If the share has a password or a view limit, the page asks first and counts no view.',
    params: ShareId,
    query: ViewQuery,
    headers: ReadHeaders,
    produces: 'html',
    output: Representation,
    errors: { GONE: 'Its views are used up, its time is over, or it was taken down' },
    failurePage: failed,
    handle: async ({ params: { id }, query, headers, isHead, caller }) => {
      const found = await read(id);
      const { share } = found;
      if (!(await admits(found, query.view))) {
        await authorOf(share);
        return represent(confirmPage(found), headers, { headers: pageHeaders() });
      }
      const isPublic = !wantsView(share);
      const [author, rendered, source] = await Promise.all([
        authorOf(share),
        share.language === 'markdown' ? textOf(found, 'html') : undefined,
        isPublic ? undefined : sourceAlong(found),
        isLook(isHead, headers) && noteLook(caller, share, ['pageViews', 'views']),
      ]);
      const opened = { ...found, author, view: isPublic ? undefined : query.view, source };
      const body = contentPage(opened, rendered);
      return represent(body, headers, { isPublic, headers: pageHeaders() });
    },
  }),
  route({
    endpoint: 'GET /s/{id}/raw',
    access: 'public',
    summary: 'Get the source of a share',
    description:
      'Returns plain text. A share with a password or view limit requires the `view` token from its page.',
    params: ShareId,
    query: ViewQuery.extend({
      download: z
        .enum(['', 'true'])
        .optional()
        .meta({ description: 'Download the source as a file.' }),
    }),
    headers: ReadHeaders.extend({
      accept: z
        .string()
        .optional()
        .meta({ description: '`text/html` returns errors as pages, anything else as text.' }),
    }),
    produces: 'text',
    output: Representation,
    errors: {
      UNAUTHORIZED: 'It wants a view, or another one: open it on its page',
      GONE: 'Its views are used up, its time is over, or it was taken down',
    },
    failurePage: failedText,
    handle: async ({ params: { id }, query: { view, download }, headers, isHead, caller }) => {
      const found = await read(id);
      const { share } = found;
      if (!(await admits(found, view))) {
        await authorOf(share);
        const failure = new AppError('UNAUTHORIZED', texts.openFirst);
        if (!prefersHtml(headers.accept)) throw failure;
        const asPage = { ...pageHeaders(), 'content-type': contentTypes.html };
        return new Reply<string>(openFirstPage(id), { status: failure.status, headers: asPage });
      }
      const [text, disposition] = await Promise.all([
        textOf(found, 'source'),
        download !== undefined ? savedAs(found) : undefined,
        authorOf(share),
        isLook(isHead, headers) && noteLook(caller, share, ['views']),
      ]);
      return represent(text, headers, {
        isPublic: !wantsView(share),
        headers: {
          'content-security-policy': rawPolicy,
          ...(disposition && { 'content-disposition': disposition }),
        },
      });
    },
  }),
  route({
    endpoint: 'POST /s/{id}/open',
    access: 'public',
    summary: 'Open a share',
    description:
      'Checks the password, counts one view and redirects to the page. Several submissions of the same form count once.',
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
    // A view, which the gate counts.
    audit: 'none',
    failurePage: failed,
    handle: async ({ params: { id }, body: { password, claim }, caller }) => {
      const views = claim === undefined ? [] : viewsOfForm(id, claim, Date.now());
      const found = await find(id);
      if (isForgotten(endOf(found))) throw notFound();
      await authorOf(found.share);
      let taken: Awaited<ReturnType<typeof take>>;
      try {
        taken = await take(found, password, claimsOf(views));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'UNAUTHORIZED') throw error;
        // The password may have been set since.
        const asked = found.share.password ? found : await find(id);
        const body = confirmPage(asked, texts.passwordWrong);
        return new Reply(body, { status: error.status, headers: pageHeaders() });
      }
      const view = views.find((one) => one.claim === taken.claim);
      const [token] = await Promise.all([
        issueViewToken(id, taken.passwordId),
        noteActivity(caller, {
          counts: ['pageViews', 'views'],
          ...(view && { at: view.at, claim: `${id} ${view.claim}` }),
        }),
      ]);
      const location = `/s/${id}?view=${token}`;
      return new Reply('', { headers: { location } });
    },
  }),
  ...reportRoutes,
];
