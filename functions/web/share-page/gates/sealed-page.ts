import { getSetting } from '../../../../shared/runtime/settings.ts';
import { maxPassphraseLength } from '../../../../shared/sealed/passphrase.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import type { Admission } from '../../../api/share/reading/admission.ts';
import { gatePage } from '../../layout/gate/gate-page.ts';
import { previewData } from '../../layout/preview-data.ts';
import { siteTexts } from '../../layout/texts.ts';
import type { Theme } from '../../layout/theme.ts';
import { ownTexts } from '../own/texts.ts';
import { countLeft, footer } from './open-page.ts';
import { gateTexts as texts } from './texts.ts';

/** What a form asks for. */
interface Asked {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly attributes: Html;
  readonly submit: string;
}

/** A form that its script shows and handles: its field has no name, so that nothing of it is ever sent. */
const form = (data: Html, { id, label, hint, attributes, submit }: Asked): Html =>
  html`<form ${data} hidden>
<div class="field"><label for="${id}">${label}</label>
<input class="in" id="${id}" type="text" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" aria-describedby="error-${id} about-${id}"${attributes}>
<p class="hint" id="about-${id}">${hint}</p></div>
<p class="err" id="error-${id}" role="alert" hidden></p>
<button class="btn primary lg wide" type="submit">${submit}</button>
</form>
`;

/** Opens the share with the key of its link. */
const openForm = form(html`data-opens`, {
  id: 'passphrase',
  label: texts.passphrase,
  hint: texts.passphraseHint,
  attributes: html` maxlength="${maxPassphraseLength}"`,
  submit: texts.open,
});

/** Takes the whole link, where the address has no key. */
const linkForm = form(html`data-links`, {
  id: 'link',
  label: texts.wholeLink,
  hint: texts.wholeLinkHint,
  attributes: html` inputmode="url"`,
  submit: texts.useLink,
});

/** Returns what the script has to know. Whether a passphrase is asked for is not among it: the key says that. */
const scriptData = (admission: Admission, left: number | null): Html =>
  admission.reading === 'own'
    ? html` data-sealed="${admission.addressId}" data-own="${admission.share.id}" data-author="${admission.author}"`
    : html` data-sealed="${admission.addressId}"${left === null ? undefined : html` data-counts`}`;

/** Renders what the script takes, and says without it that it is missing. */
const scriptPlace = (data: Html): Html =>
  html`<noscript><p class="note">${siteTexts.needsScript}</p></noscript>
<div${data}${previewData(`${getSetting('SNIPPETS_URL')}/preview`)}>
${openForm}${linkForm}<p class="vh" role="status"></p></div>
`;

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
  const cost = left === null ? undefined : left === 0 ? texts.openAgain : texts.openCost(left);
  const data = scriptData(admission, left);
  return gatePage({
    title: texts.sealed,
    mark: 'lock',
    theme,
    about: texts.sealedWhy,
    content: scriptPlace(asksFirst ? html`${data} data-asks-first` : data),
    note: admission.reading === 'own' ? `${ownTexts.visits}.` : cost,
    footer: footer(admission.addressId),
    styles: ['sealed.css'],
    scripts: ['sealed.js'],
  });
};
