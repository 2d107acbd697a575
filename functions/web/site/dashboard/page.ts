import { can } from '../../../../shared/permissions/permissions.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import type { PageSession } from '../../layout/session.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { dashboardTexts as texts } from './texts.ts';

const viewButton = (view: keyof typeof texts.views): Html =>
  html`<button type="button" data-view="${view}" aria-pressed="${view === 'mine' ? 'true' : 'false'}">${texts.views[view]}</button>`;

/** Chooses between the own and the service's figures. */
const segment = html`<span class="seg" id="whose" role="group" aria-label="${texts.whose}">${viewButton('mine')}${viewButton('service')}</span>`;

/** What the tiles look like before the script has their figures, so that nothing moves. */
const tile = html`<div class="card tile" aria-hidden="true"><span class="sk b"></span></div>`;

/** Renders the dashboard, whose script fills it. `currency` is that of all amounts. */
export const dashboardPage = (currency: string, session: PageSession): ShellPage => {
  const canViewService =
    session.state === 'signed-in' && can(session.permissions, 'dashboard:view');
  return {
    title: texts.title,
    path: '/dashboard',
    actions: html`${canViewService ? segment : undefined}<a class="btn primary hide-s" href="/">${icon('plus')}${texts.newShare}</a>`,
    styles: ['dashboard.css'],
    script: 'dashboard.js',
    main: html`<div class="pad" id="dashboard" data-currency="${currency}"><div class="hello"><div><h2>&nbsp;</h2><p>&nbsp;</p></div></div><div class="tiles">${tile}${tile}${tile}${tile}</div></div>`,
  };
};
