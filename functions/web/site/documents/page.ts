import { html } from '../../../../shared/text/html.ts';
import type { ShellPage } from '../../layout/shell.ts';
import { documentsTexts as texts } from './texts.ts';

/** Renders the page of documents, which its script fills. */
export const documentsPage = (): ShellPage => ({
  title: texts.title,
  path: '/documents',
  styles: ['documents.css'],
  script: 'documents.js',
  main: html`<div id="documents"></div>`,
});
