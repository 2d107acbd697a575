import { type Html, html } from '../../../shared/text/html.ts';

/** Returns the line of HTML with which another site embeds the share at an address. */
export const embedLine = (url: string, title: string): Html =>
  html`<iframe src="${url}/embed" title="${title}" width="100%" height="480" style="border:0"></iframe>`;
