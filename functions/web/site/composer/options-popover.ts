import { maxViews } from '../../../../shared/input/share-limits.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import { maxSlugLength } from '../../../api/share/record/slug-pattern.ts';
import { flagNames, getLabel, toAttributes } from './control.ts';
import { composerMarkupTexts as texts } from './markup-texts.ts';
import { composerTexts as scriptTexts } from './texts.ts';

const field = (
  name: string,
  label: string,
  toControl: (attributes: Html) => Html,
  hint?: string,
): Html =>
  html`<div class="field"><label for="share-${name}">${label}</label>${toControl(toAttributes(name, hint !== undefined))}${hint && html`<p class="hint" id="share-${name}-hint">${hint}</p>`}<p class="err" id="share-${name}-wrong" role="alert"></p></div>`;

const choices = (
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
): Html =>
  field(
    name,
    label,
    (attributes) =>
      html`<select class="in"${attributes}>${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select>`,
  );

/** A line for what isn't prose. */
const code = (name: string, label: string, maxLength: number, hint: string): Html =>
  field(
    name,
    label,
    (attributes) =>
      html`<input class="in"${attributes} maxlength="${maxLength}" autocapitalize="none" spellcheck="false">`,
    hint,
  );

const questions = flagNames.map((name) =>
  choices(name, getLabel(name), [
    ['', texts.no],
    ['1', texts.yes],
  ]),
);

/** The options of a share. They open over the bar that shows them. */
export const optionsPopover: Html = html`<div popover id="options" class="opts" role="dialog" aria-label="${texts.options}"><h2>${texts.options}</h2>
${choices('passwordMode', scriptTexts.password, [
  ['none', texts.noPassword],
  ['random', texts.randomPassword],
  ['own', texts.ownChoice],
])}
<p class="hint" id="random-hint" hidden>${texts.randomHint}</p>
<div id="own-password" class="more" hidden>${code('password', texts.ownPassword, 6, texts.ownPasswordHint)}</div>
<div class="two">${choices('expires', texts.expires, [
  ['never', texts.never],
  ['3600', texts.inHour],
  ['86400', texts.inDay],
  ['604800', texts.inWeek],
  ['2592000', texts.inMonth],
  ['date', scriptTexts.onDate],
])}${field(
  'viewLimit',
  getLabel('viewLimit'),
  (attributes) =>
    html`<input class="in"${attributes} type="number" inputmode="numeric" min="1" max="${maxViews}" step="1" placeholder="${texts.noLimit}">`,
)}</div>
<button type="button" class="btn sm" id="burn" aria-pressed="false"><i class="i-fire"></i>${scriptTexts.burn}</button>
<div id="expiry-date" class="more" hidden>${field('expiresAt', texts.expiresAt, (attributes) => html`<input class="in"${attributes} type="datetime-local">`)}</div>
${code('slug', getLabel('slug'), maxSlugLength, texts.slugHint)}
${code('embedOrigins', getLabel('embedOrigins'), 2_000, texts.embedHint)}
<div class="two">${questions}</div>
<div id="end-offer" class="more" hidden><p class="hint">${texts.endOffer}</p><button type="button" class="btn danger" id="end-now">${texts.endNow}</button></div>
</div>`;
