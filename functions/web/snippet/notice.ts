import { Reply } from '../../../shared/http/reply.ts';
import { html } from '../../../shared/text/html.ts';

/** Responds with a line of text in the place of a snippet. */
export const snippetNotice = (
  text: string,
  {
    status,
    link,
    headers,
  }: {
    readonly status: number;
    readonly link?: { readonly url: string; readonly text: string };
    readonly headers?: Readonly<Record<string, string>>;
  },
): Reply<string> =>
  new Reply(
    html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text}</title>
<p>${text}${link && html` <a href="${link.url}">${link.text}</a>`}</p>
</html>
`.markup,
    {
      status,
      headers: {
        ...headers,
        // Sites that embed a share are ancestors, too.
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors *",
      },
    },
  );
