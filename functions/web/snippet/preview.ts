import * as z from 'zod';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { Html, html } from '../../../shared/text/html.ts';
import { outwardLinks } from './external-links.ts';
import { snippetPolicy } from './isolation.ts';

/**
 * Takes one text, of our page around the frame and of nobody else, and becomes it. What the text does later finds
 * neither this listener nor a name of this script.
 */
const receiver = (pageOrigin: string): string =>
  `(o=>{const t=e=>{if(e.source!==parent||e.origin!==o||typeof e.data!=="string")return;removeEventListener("message",t);document.open();${outwardLinks};document.write(e.data);document.close()};addEventListener("message",t);parent.postMessage("ready",o)})(${JSON.stringify(pageOrigin)})`;

const previewPage = (): string =>
  html`<!doctype html><meta charset="utf-8"><title>Preview</title><script>${new Html(receiver(getSetting('PUBLIC_URL')))}</script>`
    .markup;

/** The page in which the composer shows HTML that isn't shared yet, with a share's policy. It holds nothing itself. */
export const previewRoute = route({
  endpoint: 'GET /preview',
  access: 'public',
  summary: 'Show the preview frame',
  description: 'Shows the HTML that the composer hands to it.',
  produces: 'html',
  output: z.string(),
  handle: async () =>
    new Reply(previewPage(), {
      headers: {
        'content-security-policy': snippetPolicy(),
        'cache-control': 'public, max-age=3600',
      },
    }),
});
