import { asksToVerify } from '../../../../shared/auth/verification.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { html } from '../../../../shared/text/html.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { accountTexts as texts } from './account-texts.ts';
import { parseView, toUrl } from './view.ts';

/** Renders the account page, which its script fills. `target` is its path with the query. */
export const accountPage = (target: string): ShellPage => {
  const { tab } = parseView(new URL(target, 'http://localhost').searchParams);
  const toCreate = toUrl({ tab: 'tokens', isCreating: true });
  return {
    title: texts.title,
    path: '/account',
    actions: html`<a class="btn primary" id="new-token" href="${toCreate}" aria-label="${texts.createToken}"${tab === 'tokens' ? undefined : html` hidden`}>${icon('plus')}<span class="word">${texts.createToken}</span></a>`,
    styles: ['account.css'],
    script: 'account.js',
    main: html`<div id="account" data-mail="${isMailOn() ? 'on' : 'off'}" data-verification="${asksToVerify() ? 'on' : 'off'}" data-day-zone="${getSetting('CHECKIN_TIMEZONE')}"></div>`,
  };
};
