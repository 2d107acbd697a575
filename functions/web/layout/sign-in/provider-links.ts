import type { Provider } from '../../../../shared/runtime/provider-settings.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import { withNext } from '../addresses/destination.ts';
import { providerLogo } from './provider-logo.ts';
import { waysTexts as texts } from './ways-texts.ts';

/** Returns the address that signs in at a provider. `next` is the page to open afterwards. */
export const toProvider = ({ name }: Provider, next: string | undefined): string =>
  withNext(`/login/${name}`, next);

/** How the links to providers look. */
interface LinkOptions {
  readonly next: string | undefined;
  /** Whether nothing else signs in: a single one is what the page is for, and the first has the focus. */
  readonly isAlone?: boolean;
}

/** Renders a link to each provider, which looks like a button and works without a script. */
export const providerLinks = (
  providers: readonly Provider[],
  { next, isAlone = false }: LinkOptions,
): Html => {
  const look = isAlone && providers.length === 1 ? 'primary ' : '';
  return html`${providers.map(
    (provider, at) =>
      html`<a class="btn ${look}lg wide" href="${toProvider(provider, next)}"${isAlone && at === 0 ? html` autofocus` : undefined}>${providerLogo(provider)}<span class="cut">${texts.continueWith(provider.label)}</span></a>\n`,
  )}`;
};

/** Renders the line between a form and the other ways to sign in. */
export const orLine: Html = html`<p class="or">${texts.or}</p>\n`;
