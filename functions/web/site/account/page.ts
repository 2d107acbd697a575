import { asksToVerify } from '../../../../shared/auth/verification.ts';
import { isPasswordSignInOn } from '../../../../shared/auth/ways-in.ts';
import { listProviders } from '../../../../shared/runtime/provider-settings.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { html } from '../../../../shared/text/html.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { getLogo } from '../../layout/sign-in/provider-logo.ts';
import { accountTexts as texts } from './account-texts.ts';
import { parseView, type Tab, toUrl } from './view.ts';

/** The signs of the providers by their names, which the answers of the API don’t have; empty without providers. */
const listLogos = (): string =>
  JSON.stringify(
    Object.fromEntries(listProviders().map((provider) => [provider.name, getLogo(provider) ?? ''])),
  );

/** The link in the header that opens the form of something new, there while its tab is shown. */
const toNew = (id: string, tab: Tab, label: string, shown: Tab) =>
  html`<a class="btn primary" id="${id}" href="${toUrl({ tab, isCreating: true })}" aria-label="${label}"${tab === shown ? undefined : html` hidden`}>${icon('plus')}<span class="word">${label}</span></a>`;

/** Renders the account page, which its script fills. `target` is its path with the query. */
export const accountPage = (target: string): ShellPage => {
  const { tab } = parseView(new URL(target, 'http://localhost').searchParams);
  return {
    title: texts.title,
    path: '/account',
    actions: html`${toNew('new-token', 'tokens', texts.createToken, tab)}${toNew('add-webhook', 'webhooks', texts.addWebhook, tab)}`,
    styles: ['account.css'],
    script: 'account.js',
    main: html`<div id="account" data-mail="${isMailOn() ? 'on' : 'off'}" data-verification="${asksToVerify() ? 'on' : 'off'}" data-passwords="${isPasswordSignInOn() ? 'on' : 'off'}" data-providers="${listLogos()}" data-address="${getSetting('PUBLIC_URL')}" data-day-zone="${getSetting('CHECKIN_TIMEZONE')}"></div>`,
  };
};
