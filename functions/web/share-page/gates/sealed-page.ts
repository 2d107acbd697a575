import { getSetting } from '../../../../shared/runtime/settings.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import type { Admission } from '../../../api/share/reading/admission.ts';
import { gatePage } from '../../layout/gate/gate-page.ts';
import { previewData } from '../../layout/preview-data.ts';
import { siteTexts } from '../../layout/texts.ts';
import type { Theme } from '../../layout/theme.ts';
import { ownTexts } from '../own/texts.ts';
import { countLeft, footer } from './open-page.ts';
import { gateTexts as texts } from './texts.ts';

/** The length of a passphrase, in code units: what the composer takes. */
const maxPassphraseLength = 200;

/** A field without a name, which no form sends. */
const field = (id: string, label: string, hint: string, attributes: Html): Html =>
  html`<div class="field"><label for="${id}">${label}</label>
<input class="in" id="${id}" type="text" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" aria-describedby="about-${id}"${attributes}>
<p class="hint" id="about-${id}">${hint}</p></div>
`;

/** The form that opens the share with the key of its link. The script shows it. */
const openForm = html`<form data-opens hidden>
${field('passphrase', texts.passphrase, texts.passphraseHint, html` maxlength="${maxPassphraseLength}"`)}<p class="err" role="alert" hidden></p>
<button class="btn primary lg wide" type="submit">${texts.open}</button>
</form>
`;

/** The form that takes the whole link. The script shows it where the address has no key. */
const linkForm = html`<form data-links hidden>
${field('link', texts.wholeLink, texts.wholeLinkHint, html` inputmode="url"`)}<p class="err" role="alert" hidden></p>
<button class="btn primary lg wide" type="submit">${texts.useLink}</button>
</form>
`;

/** Returns what the script has to know. Whether a passphrase is asked for is not among it: the key says that. */
const scriptData = (admission: Admission, left: number | null): Html =>
  admission.reading === 'own'
    ? html` data-sealed="${admission.addressId}" data-own="${admission.share.id}" data-author="${admission.author}"`
    : html` data-sealed="${admission.addressId}"${left === null ? undefined : html` data-counts`}`;

/**
 * Renders the page of a sealed share, for its owner, too: the service has nothing else to show. Its script opens the share with
 * the key in the address. It counts no view, and says what that of a share with a password says.
 */
export const sealedPage = (
  admission: Admission,
  theme: Theme | undefined,
  asksFirst: boolean,
): string => {
  const left = countLeft(admission);
  const cost = left === null ? undefined : texts.openCost(left);
  return gatePage({
    title: texts.sealed,
    mark: 'lock',
    theme,
    about: texts.sealedWhy,
    content: html`<noscript><p class="note">${siteTexts.needsScript}</p></noscript>
<div${scriptData(admission, left)}${asksFirst ? html` data-asks-first` : undefined}${previewData(`${getSetting('SNIPPETS_URL')}/preview`)}>
${openForm}${linkForm}<p class="vh" role="status"></p></div>
`,
    note: admission.reading === 'own' ? `${ownTexts.visits}.` : cost,
    styles: ['sealed.css'],
    scripts: ['sealed.js'],
    footer: footer(admission.addressId),
  });
};
