import { getSetting } from '../../../shared/runtime/settings.ts';
import { Html, html } from '../../../shared/text/html.ts';
import frameScripts from './built/frame-scripts.json' with { type: 'json' };
import { frameScript } from './frame-script.ts';
import { snippetPolicy } from './isolation.ts';
import { ownFrameRoute } from './own-frame.ts';

/**
 * Returns the script that replaces the document with one text, or a page with its files, from the composer and from no other
 * origin. The text finds neither the listener nor any name of this script.
 */
const receiver = (pageOrigin: string): string =>
  `(o=>{${frameScripts.preview}const t=e=>{const d=e.data,p=preview.isPage(d);if(e.source!==parent||e.origin!==o||!p&&typeof d!=="string")return;removeEventListener("message",t);document.open();${frameScript('/')}document.write(p?preview.toDocument(d,o):d);document.close()};addEventListener("message",t);parent.postMessage("ready",o)})(${JSON.stringify(pageOrigin)})`;

const previewPage = (): string =>
  html`<!doctype html><meta charset="utf-8"><title>Preview</title><script>${new Html(receiver(getSetting('PUBLIC_URL')))}</script>`
    .markup;

/** An empty page in which the composer previews HTML under a share's policy. */
export const previewRoute = ownFrameRoute({
  name: 'preview',
  summary: 'Show the preview frame',
  description: 'Displays the HTML that the composer sends to the frame.',
  render: previewPage,
  policy: snippetPolicy,
  maxAgeSeconds: 3_600,
});
