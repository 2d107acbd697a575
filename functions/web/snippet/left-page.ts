import { Reply } from '../../../shared/http/reply.ts';
import { html } from '../../../shared/text/html.ts';

/**
 * Renders the page of an address that holds nothing. The page that frames it is told that its snippet went there
 * (decisions.md#isolation), and once more when it asks, because it may have started to listen later.
 */
export const leftPage = (title: string): Reply<string> =>
  new Reply(
    html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<p>${title}</p>
<script>(onmessage=()=>parent.postMessage("left","*"))()</script>
</html>
`.markup,
    {
      headers: {
        'content-security-policy':
          "default-src 'none'; script-src 'unsafe-inline'; sandbox allow-scripts; frame-ancestors *",
      },
    },
  );
