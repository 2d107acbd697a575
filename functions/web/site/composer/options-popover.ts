import { type Html, html } from '../../../../shared/text/html.ts';
import { composerMarkupTexts as texts } from './markup-texts.ts';
import { composerTexts as scriptTexts } from './texts.ts';

const field = (
  name: string,
  label: string,
  control: (id: string, describedBy: string) => Html,
  hint?: string,
): Html => {
  const id = `share-${name}`;
  const describedBy = hint === undefined ? `${id}-wrong` : `${id}-hint ${id}-wrong`;
  return html`<div class="field"><label for="${id}">${label}</label>${control(id, describedBy)}${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}<p class="err" id="${id}-wrong" role="alert"></p></div>`;
};

const choices = (
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
): Html =>
  field(
    name,
    label,
    (id, describedBy) =>
      html`<select class="in" id="${id}" name="${name}" autocomplete="off" aria-describedby="${describedBy}">${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select>`,
  );

const question = (name: string, label: string): Html =>
  choices(name, label, [
    ['', texts.no],
    ['1', texts.yes],
  ]);

/** The options of a share. They open over the bar that shows them. */
export const optionsPopover: Html = html`<div popover id="options" class="opts" role="dialog" aria-label="${texts.options}"><h2>${texts.options}</h2>
${choices('passwordMode', scriptTexts.password, [
  ['none', texts.noPassword],
  ['random', texts.randomPassword],
  ['own', texts.ownChoice],
])}
<p class="hint" id="random-hint" hidden>${texts.randomHint}</p>
<div id="own-password" class="more" hidden>${field(
  'password',
  texts.ownPassword,
  (id, describedBy) =>
    html`<input class="in" id="${id}" name="password" maxlength="6" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${describedBy}">`,
  texts.ownPasswordHint,
)}</div>
<div class="two">${choices('expires', texts.expires, [
  ['never', texts.never],
  ['3600', texts.inHour],
  ['86400', texts.inDay],
  ['604800', texts.inWeek],
  ['2592000', texts.inMonth],
  ['date', scriptTexts.onDate],
])}${field(
  'viewLimit',
  texts.viewLimit,
  (id, describedBy) =>
    html`<input class="in" id="${id}" name="viewLimit" type="number" inputmode="numeric" min="1" max="1000000" step="1" placeholder="${texts.noLimit}" autocomplete="off" aria-describedby="${describedBy}">`,
)}</div>
<button type="button" class="btn sm" id="burn" aria-pressed="false"><i class="i-fire"></i>${scriptTexts.burn}</button>
<div id="expiry-date" class="more" hidden>${field(
  'expiresAt',
  texts.expiresAt,
  (id, describedBy) =>
    html`<input class="in" id="${id}" name="expiresAt" type="datetime-local" autocomplete="off" aria-describedby="${describedBy}">`,
)}</div>
${field(
  'slug',
  texts.slug,
  (id, describedBy) =>
    html`<input class="in" id="${id}" name="slug" maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${describedBy}">`,
  texts.slugHint,
)}
${field(
  'embedOrigins',
  texts.embedOrigins,
  (id, describedBy) =>
    html`<input class="in" id="${id}" name="embedOrigins" maxlength="2000" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${describedBy}">`,
  texts.embedHint,
)}
<div class="two">${question('notify', texts.notify)}${question('readersCanEnd', texts.readersCanEnd)}${question('showsRevisions', texts.showsRevisions)}</div>
<div id="end-offer" class="more" hidden><p class="hint">${texts.endOffer}</p><button type="button" class="btn danger" id="end-now">${texts.endNow}</button></div>
</div>`;
