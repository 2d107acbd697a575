import { gitHubIssuer, type Provider } from '../../../../shared/runtime/provider-settings.ts';
import { type Html, html } from '../../../../shared/text/html.ts';

/** The providers whose signs people know. Each is a class of `logo.css`. */
export type Logo = 'google' | 'github' | 'microsoft';

const microsoftHosts: readonly string[] = ['login.microsoftonline.com', 'sts.windows.net'];

/** Returns whose sign a provider has, by its issuer: names and labels are the operator's. */
export const getLogo = ({ issuer }: Pick<Provider, 'issuer'>): Logo | undefined => {
  const { origin, hostname } = new URL(issuer);
  if (origin === 'https://accounts.google.com') return 'google';
  if (origin === gitHubIssuer) return 'github';
  return microsoftHosts.includes(hostname) ? 'microsoft' : undefined;
};

/** Renders the sign of a provider, or that of any organization. */
export const providerLogo = (provider: Pick<Provider, 'issuer'>): Html => {
  const logo = getLogo(provider);
  return logo === undefined
    ? html`<i class="i-building" aria-hidden="true"></i>`
    : html`<span class="logo ${logo}" aria-hidden="true"></span>`;
};
