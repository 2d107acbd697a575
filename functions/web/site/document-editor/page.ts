import { html } from '../../../../shared/text/html.ts';
import { previewData } from '../../layout/preview-data.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { documentPageTexts as texts } from './texts.ts';

/** Renders the page of one document, which its script fills. `previewUrl` is the page on the snippets' host that shows HTML. */
export const documentPage = (previewUrl: string): ShellPage => ({
  title: texts.title,
  path: '/documents',
  heading: html`<a class="crumb" href="/documents">${texts.documents}</a><span class="mute" aria-hidden="true">/</span><span class="cut" id="document-name" dir="auto">${texts.title}</span>`,
  actions: html`<div class="row" id="document-actions"></div>`,
  inlineStyle: 'document.css',
  script: 'document.js',
  main: html`<div id="document"${previewData(previewUrl)}></div>`,
});
