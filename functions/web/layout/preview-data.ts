import { type Html, html } from '../../../shared/text/html.ts';
import { assetPath } from './asset.ts';

/** Renders the data of a preview's element. `frameUrl` is the page on the snippets' host that shows HTML. */
export const previewData = (frameUrl: string): Html =>
  html` data-frame="${frameUrl}" data-worker="${assetPath('markdown-worker.js')}"`;
