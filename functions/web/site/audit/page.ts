import { html } from '../../../../shared/text/html.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { auditTexts as texts } from './texts.ts';

/** Renders the page of the audit log, which its script fills. */
export const auditPage = (): ShellPage => ({
  title: texts.title,
  path: '/audit',
  styles: ['audit.css'],
  script: 'audit.js',
  main: html`<div id="audit"></div>`,
});
