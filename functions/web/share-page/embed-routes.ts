import { negotiate, Representation } from '../../../shared/http/content/content-negotiation.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { type PublicError, route } from '../../../shared/http/route.ts';
import { admit } from '../../api/share/reading/admission.ts';
import { notFound } from '../../api/share/record/share.ts';
import { ShareId } from '../../api/share/requests/request-fields.ts';
import { embedPage, lockedEmbed, noticeEmbed, signInEmbed } from './embed-page.ts';
import { readSingleFile } from './file-article.ts';
import { sharePagePolicy } from './page-reply.ts';
import { pageViewCounter, ReadHeaders } from './page-view.ts';
import { isSignInRequired, toErrorTexts } from './simple-pages.ts';

/** Returns the headers of a page that these origins can frame. */
const embedHeaders = (
  origins: readonly string[],
  hasFrames = false,
): Readonly<Record<string, string>> => ({
  'content-security-policy': sharePagePolicy({ hasFrames }, origins),
});

/** Responds to an error with a notice that any site can frame: it has neither content nor actions. */
const replyWithNotice = (error: PublicError): Reply<string> => {
  const { title, text = error.message } = toErrorTexts(error);
  const [, , id = ''] = error.path.split('/');
  const notice = isSignInRequired(error) ? signInEmbed(id) : noticeEmbed(title, text);
  return new Reply(notice, {
    status: error.status,
    headers: embedHeaders(['*']),
  });
};

/** The page of a share for the frames of other sites (decisions.md#embedding). */
export const embedRoutes = [
  route({
    endpoint: 'GET /s/{id}/embed',
    access: 'public',
    summary: 'Show a share for embedding',
    description:
      'Only the sites in `embedOrigins` of the share can frame it. A share with a password or a view limit shows a link to its page.',
    params: ShareId,
    headers: ReadHeaders,
    produces: 'html',
    output: Representation,
    errors: {
      UNAUTHORIZED: 'The share isn’t open to all, and the caller isn’t signed in.',
      GONE: 'The share has ended or was taken down.',
    },
    failurePage: replyWithNotice,
    handle: async ({ params, headers, isHead, client }) => {
      const counter = pageViewCounter({ client, headers, isHead }, ['pageViews', 'views']);
      const admission = await admit(
        params.id,
        {},
        {
          next: 'page',
          isWithoutLinks: true,
          countView: async (...view) => {
            if (view[0].share.embedOrigins) await counter?.(...view);
          },
        },
      );
      const { embedOrigins, language } = admission.share;
      if (!embedOrigins) throw notFound();
      const replyHeaders = { headers: embedHeaders(embedOrigins, language === 'html') };
      if (admission.reading === undefined) {
        return negotiate(lockedEmbed(admission), headers, { ...replyHeaders, hidesLength: true });
      }
      const [rendered, file] = await Promise.all([
        language === 'markdown' ? admission.readText('page') : undefined,
        readSingleFile(admission),
      ]);
      return negotiate(embedPage(admission, rendered, file), headers, {
        caches: 'public',
        ...replyHeaders,
      });
    },
  }),
];
