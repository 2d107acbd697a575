import * as z from 'zod';
import { trackActivity } from '../../../shared/activity/track.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { prefersHtml } from '../../../shared/http/content/accept.ts';
import {
  encodingHeaders,
  negotiate,
  Representation,
} from '../../../shared/http/content/content-negotiation.ts';
import { countEdgeSeconds, isForEveryone } from '../../../shared/http/edge.ts';
import { contentTypes } from '../../../shared/http/http.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { getExpiry } from '../../../shared/input/share-age.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { requiresToken } from '../../api/share/reading/access.ts';
import { type Admission, admit, type CountView } from '../../api/share/reading/admission.ts';
import { toSourceToken } from '../../api/share/reading/files.ts';
import { findCountedAt, readClaimedViews, toViewIds } from '../../api/share/reading/form-views.ts';
import { openView } from '../../api/share/reading/open.ts';
import { assertReader, createAdmitOnce } from '../../api/share/reading/view-request.ts';
import { isLinkId } from '../../api/share/record/links.ts';
import { sealedError } from '../../api/share/record/sealed.ts';
import { codeRequired, type StoredShare } from '../../api/share/record/share.ts';
import { passwordLimits } from '../../api/share/requests/limits.ts';
import { ShareId } from '../../api/share/requests/request-fields.ts';
import { leadingToShare } from '../layout/addresses/share-address.ts';
import { readTheme, type Theme } from '../layout/theme.ts';
import { isArrival } from '../layout/visit.ts';
import { codeRoutes } from './codes/routes.ts';
import { replyWithSingleFile, toSavedPage, toSource } from './downloads.ts';
import { findSharedPage } from './edge/shared-page.ts';
import { viewRoutes } from './edge/view-routes.ts';
import { embedRoutes } from './embed-routes.ts';
import { endRoutes } from './end-routes.ts';
import { readSingleFile } from './file-article.ts';
import { openPage, viewRequiredPage } from './gates/open-page.ts';
import { gateTexts as texts } from './gates/texts.ts';
import { liveRoutes } from './live/routes.ts';
import { composePage } from './page.ts';
import { pageHeaders, rawPolicy, replyWithErrorPage, replyWithErrorText } from './page-reply.ts';
import { assertSourceSendable, pageViewCounter, ReadHeaders } from './page-view.ts';
import { reportRoutes } from './report-routes.ts';
import { revisionRoutes } from './revisions/routes.ts';

const ViewQuery = z.object({ view: z.string().max(2_048).optional() });

/** The form that opens a share. */
const OpenForm = z.object({
  password: z.string().max(64).optional(),
  claim: z.string().max(64).optional(),
});

interface OpenRequest {
  readonly actor: Actor | undefined;
  readonly params: { readonly id: string };
  readonly cookies: readonly string[];
  readonly body: z.output<typeof OpenForm>;
}

/** Returns the views that a form may belong to. */
const readViews = ({ actor, params: { id }, body: { claim } }: OpenRequest, share: StoredShare) =>
  readClaimedViews({ nonce: claim, address: id, userId: actor?.user.id }, share);

/** Admits who sends the form, which has no slug. */
const admitSubmitter = createAdmitOnce<OpenRequest>(
  ({ body }) => body,
  (request) =>
    admit(
      request.params.id,
      {
        actor: request.actor,
        cookies: request.cookies,
        asOwner: true,
        toViewIds: (share) => toViewIds(readViews(request, share)),
      },
      { isById: true },
    ),
);

/** Returns the id of the share that the form tries a password for. Who can't open it uses up no try of those who can. */
const getTriedShare = async (request: OpenRequest): Promise<string | undefined> => {
  if (request.body.password === undefined) return undefined;
  const { reading, share } = await admitSubmitter(request);
  return reading === 'own' || share.sealed ? undefined : share.id;
};

/** Returns which caches may keep what is read: none what takes a view. */
const toCaches = ({ reading, share, link }: Admission): 'public' | 'private' | undefined => {
  if (reading === 'free') return 'public';
  return reading === 'own' && !requiresToken(share, link) ? 'private' : undefined;
};

/** Who asks for the page of a share. */
interface Reader {
  readonly actor: Actor | undefined;
  readonly id: string;
  readonly theme: Theme | undefined;
  /** Whether a script of the page finds out who it is. */
  readonly asksFirst: boolean;
}

/**
 * Returns what is shown instead of a share, if that isn’t the page of the error: the wish for a code, or the page of an ended
 * share for its owner, who learns more of it than readers do.
 */
const findPageInstead = async (
  { code, message }: AppError,
  { actor, id, theme, asksFirst }: Reader,
): Promise<string | undefined> => {
  if (message === codeRequired().message) {
    const { showAsking } = await import('./codes/answers.ts');
    return showAsking(id, { theme, asksFirst });
  }
  if (!actor || code !== 'GONE') return undefined;
  // Loaded when someone signed in comes too late, which is seldom.
  const { findEndedPage } = await import('./own/ended-page.ts');
  return findEndedPage(actor, id, theme);
};

export const routes = [
  route({
    endpoint: 'GET /s/{id}',
    access: 'optional',
    scope: 'session',
    summary: 'Show a share',
    description:
      'A share is found by its id, its slug or the id of a recipient link. If it has a password or a view limit, or by a link, the page asks first and counts no view.',
    params: ShareId,
    query: ViewQuery.extend({
      preview: z.string().max(16).optional().meta({
        description: 'Shows its owner the page as readers see it. Others get the page as ever.',
      }),
      claim: z.string().max(2_048).optional().meta({
        description:
          'The `X-Share-Claim` by which a sealed share was opened in the last minute: its page is shown again, also after the last view.',
      }),
    }),
    headers: ReadHeaders,
    produces: 'html',
    output: Representation,
    errors: {
      UNAUTHORIZED: 'The share isn’t open to all, and the caller isn’t signed in.',
      GONE: 'The share or its link has reached its view limit, has expired, was revoked or taken down.',
    },
    failurePage: leadingToShare(replyWithErrorPage),
    cache: 'for-seconds',
    handle: async (request) => {
      const { params, query, headers, isHead, client, actor, cookies } = request;
      const theme = readTheme(cookies);
      const { view, preview, claim } = query;
      const shared =
        view === undefined && claim === undefined && !isLinkId(params.id) && isForEveryone(request)
          ? await findSharedPage(params.id, theme)
          : undefined;
      if (shared?.value !== undefined) {
        return negotiate(shared.value.html, headers, {
          caches: 'public',
          edgeSeconds: countEdgeSeconds(getExpiry(shared.admission.share)),
          headers: pageHeaders(shared.value),
        });
      }
      const asksFirst = isArrival(headers, cookies);
      const countView = asksFirst
        ? undefined
        : pageViewCounter({ client, headers, isHead }, ['pageViews', 'views']);
      const readClaimed = (share: StoredShare) =>
        share.sealed &&
        toViewIds(
          readClaimedViews({ nonce: claim, address: params.id, userId: actor?.user.id }, share),
        );
      const asker = { actor, cookies, asOwner: true, view, toViewIds: readClaimed } as const;
      let admission: Admission;
      try {
        admission =
          shared?.admission ?? (await admit(params.id, asker, { next: 'page', countView }));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const page = await findPageInstead(error, { actor, id: params.id, theme, asksFirst });
        if (page === undefined) throw error;
        return new Reply(page, { status: error.status, headers: pageHeaders() });
      }
      const page = await composePage(admission, {
        theme,
        asksFirst,
        isPreview: preview !== undefined,
      });
      return negotiate(page.html, headers, {
        caches: toCaches(admission),
        hidesLength: admission.reading !== 'free',
        headers: pageHeaders(page),
      });
    },
  }),
  route({
    endpoint: 'GET /s/{id}/raw',
    access: 'optional',
    scope: 'session',
    summary: 'Get the source of a share',
    description:
      'Returns plain text of a share, which is found by its id, its slug or the id of a recipient link. A Markdown share that is a single file returns the exact text of that file; a share that is a picture, PDF or other file returns its bytes, with its type. A share with a password or view limit requires the `view` token from its page, and so does a link.',
    params: ShareId,
    query: ViewQuery.extend({
      file: z.string().min(1).max(500).optional().meta({
        description: 'The name of a file in Markdown. Returns its exact text.',
      }),
      download: z.enum(['', 'true', 'page']).optional().meta({
        description:
          'Download the source as a file, or with `page` the page of Markdown as one HTML file with its styles.',
      }),
    }),
    headers: ReadHeaders.extend({
      accept: z
        .string()
        .optional()
        .meta({ description: '`text/html` returns errors as pages, anything else as text.' }),
    }),
    produces: 'source',
    output: Representation,
    errors: {
      UNAUTHORIZED:
        'The `view` token is missing or invalid: open the share on its page. Or it isn’t open to all, and the caller isn’t signed in.',
      NOT_ACCEPTABLE: 'The source is larger than 4 MB, and the client accepts no compression.',
      UNPROCESSABLE: 'The share is sealed.',
      GONE: 'The share or its link has reached its view limit, has expired, was revoked or taken down.',
    },
    failurePage: leadingToShare(replyWithErrorText),
    handle: async ({
      params,
      query: { view, download, file },
      headers,
      isHead,
      client,
      actor,
      cookies,
    }) => {
      const count = pageViewCounter({ client, headers, isHead }, ['views']);
      const countView =
        count &&
        (async (...view: Parameters<CountView>): Promise<void> => {
          assertSourceSendable(view[0].share, headers['accept-encoding']);
          await count(...view);
        });
      const admission = await admit(
        params.id,
        { actor, cookies, asOwner: true, ...(await toSourceToken(view)) },
        { next: 'source', countView },
      );
      if (admission.share.sealed) throw sealedError();
      if (admission.reading === undefined) {
        const error = new AppError('UNAUTHORIZED', `${texts.openFirst}.`);
        if (!prefersHtml(headers.accept)) throw error;
        const asPage = { ...pageHeaders(), 'content-type': contentTypes.html };
        const page = viewRequiredPage(admission, readTheme(cookies));
        return new Reply<string>(page, { status: error.status, headers: asPage });
      }
      const single = await readSingleFile(admission);
      if (single) {
        const isDownload = download !== undefined;
        const asked = { name: file, isDownload, headers, caches: toCaches(admission) };
        return replyWithSingleFile(admission, single, asked);
      }
      const isPage = download === 'page' && admission.share.language === 'markdown';
      const { text, headers: ofFile } = isPage
        ? await toSavedPage(admission)
        : await toSource(admission, file, download !== undefined);
      return negotiate(text, headers, {
        caches: toCaches(admission),
        hidesLength: admission.reading !== 'free',
        headers: {
          'content-security-policy': rawPolicy,
          ...ofFile,
        },
      });
    },
  }),
  route({
    endpoint: 'POST /s/{id}/open',
    access: 'optional',
    scope: 'session',
    onlyIdentifies: true,
    summary: 'Open a share',
    description:
      'Checks the password, counts one view and redirects to the page. Several submissions of the same form count once. The owner needs neither.',
    status: 303,
    params: ShareId,
    headers: z.object(encodingHeaders),
    body: OpenForm,
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    errors: {
      UNAUTHORIZED:
        'The password is missing or incorrect: the page asks for it again. Or the share isn’t open to all, and the caller isn’t signed in.',
      GONE: 'The share or its link has reached its view limit, has expired or was revoked.',
      NOT_ACCEPTABLE:
        'The source is larger than 4 MB, and the client accepts no compression. No view is counted.',
      UNPROCESSABLE: 'The share is sealed: its page opens it by a script.',
    },
    limits: passwordLimits(getTriedShare),
    // The access item counts the view.
    auditAction: 'none',
    failurePage: replyWithErrorPage,
    handle: async (request) => {
      const { params, headers, body, client, actor, cookies } = request;
      const { id } = params;
      const { password } = body;
      assertReader(client);
      const admission = await admitSubmitter(request);
      if (admission.reading === 'own') return new Reply('', { headers: { location: `/s/${id}` } });
      const assertIsSendable = (share: StoredShare): void =>
        assertSourceSendable(share, headers['accept-encoding']);
      const views = readViews(request, admission.share);
      const ids = toViewIds(views);
      const countedAt = (viewId: string) => findCountedAt(views, viewId, Date.now());
      let consumed: Awaited<ReturnType<typeof openView>>;
      try {
        consumed = await openView(admission, password, assertIsSendable, ids && { ids, countedAt });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'UNAUTHORIZED') throw error;
        // The password may have been set since.
        const current = admission.share.password
          ? admission
          : await admit(id, { actor, cookies }, { isById: true });
        const page = openPage(current, readTheme(cookies), { error: texts.passwordIncorrect });
        return new Reply(page, { status: error.status, headers: pageHeaders() });
      }
      const view = views.find(({ viewId }) => viewId === consumed.viewId);
      await trackActivity(client, {
        counts: ['pageViews', 'views'],
        ...(view && { at: view.at, claim: `${id} ${view.viewId}` }),
      });
      const location = `/s/${id}?view=${consumed.token}`;
      return new Reply('', { headers: { location } });
    },
  }),
  ...codeRoutes,
  ...embedRoutes,
  ...endRoutes,
  ...liveRoutes,
  ...reportRoutes,
  ...revisionRoutes,
  ...viewRoutes,
];
