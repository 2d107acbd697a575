import type { Provider } from '../../../shared/runtime/provider-settings.ts';
import { toShownEmail } from '../../../shared/text/email-address.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import type { ConnectRefusal, Refusal } from '../../api/auth/identities/identity.ts';
import { withNext } from '../layout/addresses/destination.ts';
import { card } from '../layout/card.ts';
import type { Theme } from '../layout/theme.ts';
import type { ProviderReason } from './protocol/provider-error.ts';
import { connectRefusals, providerFailures, refusals, providerTexts as texts } from './texts.ts';

/** Where the security of the own account is managed. */
export const securityPath = '/account?tab=security';

const link = (href: string, label: string, look = ''): Html =>
  html`<a class="btn ${look}lg wide" href="${href}">${label}</a>`;

const query = (path: string, name: string, value: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${value}`;

/** The sign-in page, with `why` so that it doesn't lead straight back to the only provider. */
const toOtherWay = (next: string | undefined): string =>
  query(withNext('/login', next), 'why', 'out');

/** Renders the page that leads on. The session's cookie is sent only from a page of this site (decisions.md#cookie). */
export const leadingPage = (title: string, destination: string, theme: Theme | undefined): string =>
  card({
    title,
    theme,
    head: html`<meta http-equiv="refresh" content="0;url=${destination}">\n`,
    content: link(destination, texts.goOn, 'primary '),
  });

/** A sign-in that has failed. */
export interface Failure {
  readonly provider: Pick<Provider, 'name' | 'label'>;
  /** The page to open after signing in. */
  readonly next: string | undefined;
  readonly theme: Theme | undefined;
}

const renderFailure = (
  { title, about }: { readonly title: string; readonly about: string },
  actions: Html,
  theme: Theme | undefined,
): string =>
  card({ title, theme, content: html`<p>${about}</p>\n<div class="ways">${actions}</div>` });

/** Renders why nobody is signed in, before it is known who that would be. */
export const failurePage = (
  reason: ProviderReason,
  { provider, next, theme }: Failure,
  isConnecting: boolean,
): string => {
  const { title, about } = providerFailures[reason];
  const named = { label: provider.label, email: '' };
  const again = withNext(`/login/${provider.name}`, next);
  const actions = isConnecting
    ? link(securityPath, texts.toSecurity, 'primary ')
    : html`${link(again, texts.again, 'primary ')}${link(toOtherWay(next), texts.otherWay)}`;
  return renderFailure({ title: title(named), about: about(named) }, actions, theme);
};

/** Renders why someone whom a provider has signed in isn't signed in here. */
export const refusalPage = (
  reason: Refusal,
  { provider, next, theme }: Failure,
  email: string | undefined,
): string => {
  const { title, about } = refusals[reason];
  const named = { label: provider.label, email: toShownEmail(email ?? '') };
  const other = query(withNext(`/login/${provider.name}`, next), 'account', 'other');
  const actions = html`${link(toOtherWay(next), texts.otherWay, 'primary ')}${link(other, texts.otherAccount(provider.label))}`;
  return renderFailure({ title: title(named), about: about(named) }, actions, theme);
};

/** Renders why an account of a provider isn't connected. */
export const connectRefusalPage = (
  reason: ConnectRefusal,
  { provider, theme }: Omit<Failure, 'next'>,
): string => {
  const { title, about } = connectRefusals[reason];
  const named = { label: provider.label, email: '' };
  const action = link(securityPath, texts.toSecurity, 'primary ');
  return renderFailure({ title: title(named), about: about(named) }, action, theme);
};
