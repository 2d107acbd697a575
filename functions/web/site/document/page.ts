import { html } from '../../../../shared/text/html.ts';
import { assetPath } from '../../layout/asset.ts';
import type { ShellPage } from '../../layout/shell.ts';
import { documentPageTexts as texts } from './texts.ts';

/** Renders the page of one document, which its script fills. `previewUrl` is the page on the snippets' host that shows HTML. */
export const documentPage = (previewUrl: string): ShellPage => ({
  title: texts.title,
  path: '/documents',
  actions: html`<a class="btn" href="/documents">${texts.all}</a>`,
  styles: ['document.css'],
  script: 'document.js',
  main: html`<div id="document" data-frame="${previewUrl}" data-worker="${assetPath('markdown-worker.js')}" data-styles="${assetPath('prose.css')}"></div>`,
});
