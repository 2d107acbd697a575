import { type Html, html } from '../../../shared/text/html.ts';
import { assetPath, type StyleName } from './asset.ts';

/**
 * Renders the data of a preview's element. `frameUrl` is the page on the snippets' host that shows HTML; `style` is that of
 * rendered Markdown, which the first text loads, unless the page has it.
 */
export const previewData = (frameUrl: string, style?: StyleName): Html =>
  html` data-frame="${frameUrl}" data-worker="${assetPath('markdown-worker.js')}"${style && html` data-style="${assetPath(style)}"`}`;
