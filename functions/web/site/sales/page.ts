import { can } from '../../../../shared/permissions/permissions.ts';
import { html } from '../../../../shared/text/html.ts';
import type { PageSession } from '../../layout/session.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { salesTexts as texts } from './texts.ts';

const actions = html`<a class="btn" id="import-sales" href="/sales?import=csv" aria-label="${texts.importFile}">${icon('upload')}<span class="word">${texts.importFile}</span></a><a class="btn primary" id="new-sale" href="/sales?new=sale" aria-label="${texts.newSale}">${icon('plus')}<span class="word">${texts.newSale}</span></a>`;

/** Renders the page of sales, which its script fills. `currency` is that of new sales. */
export const salesPage = (currency: string, session: PageSession): ShellPage => {
  const mayCreate = session.state === 'signed-in' && can(session.permissions, 'sales:create');
  return {
    title: texts.title,
    path: '/sales',
    ...(mayCreate && { actions }),
    styles: ['sales.css'],
    script: 'sales.js',
    main: html`<div id="sales" data-currency="${currency}"></div>`,
  };
};
