import { Reply } from '../../../shared/http/reply.ts';
import type { PublicError } from '../../../shared/http/route.ts';
import { html } from '../../../shared/text/html.ts';
import { snippetTexts as texts } from './texts.ts';

/** Responds to an error with a page for the frame, for example when the framing page was opened long ago. */
export const replyWithErrorPage = ({ status }: PublicError): Reply<string> =>
  new Reply(
    html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${texts.notInFrame}</title>
<p>${texts.notInFrame}</p>
</html>
`.markup,
    {
      status,
      headers: {
        // Sites that embed a share are ancestors, too.
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors *",
      },
    },
  );
