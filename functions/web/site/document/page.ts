import { html } from '../../../../shared/text/html.ts';
import type { ShellPage } from '../../layout/shell.ts';
import { documentTexts as texts } from './texts.ts';

/** Renders the page of one document, which its script fills. `previews` is the URL of the frames of previews. */
export const documentPage = (previews: string): ShellPage => ({
  title: texts.title,
  path: '/documents',
  styles: ['document.css'],
  script: 'document.js',
  main: html`<div id="document" data-previews="${previews}"></div>`,
});
