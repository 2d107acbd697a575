import { can } from '../../../../shared/permissions/permissions.ts';
import { html } from '../../../../shared/text/html.ts';
import type { PageSession } from '../../layout/session.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { documentsTexts as texts } from './texts.ts';

/** Renders the page of documents, which its script fills. */
export const documentsPage = (session: PageSession): ShellPage => {
  const mayCreate =
    session.state === 'signed-in' &&
    can(session.permissions, 'documents:create') &&
    can(session.permissions, 'documents:update');
  return {
    title: texts.title,
    path: '/documents',
    ...(mayCreate && {
      actions: html`<a class="btn primary" id="new-document" href="/documents/new" aria-label="${texts.newDocument}">${icon('plus')}<span class="word">${texts.newDocument}</span></a>`,
    }),
    styles: ['documents.css'],
    script: 'documents.js',
    main: html`<div id="documents"></div>`,
  };
};
