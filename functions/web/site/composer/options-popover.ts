import { getMaxShareSeconds } from '../../../../shared/input/share-age.ts';
import { maxViews } from '../../../../shared/input/share-limits.ts';
import { maxPassphraseLength } from '../../../../shared/sealed/passphrase.ts';
import { Html, html } from '../../../../shared/text/html.ts';
import { describeSpan } from '../../../../shared/text/time-span.ts';
import type { OptionName } from '../../../api/share/record/options.ts';
import { maxSlugLength } from '../../../api/share/record/slug-pattern.ts';
import type { PageSession } from '../../layout/session.ts';
import { icon } from '../../layout/shell/parts.ts';
import { audienceChoice } from './audience-choice.ts';
import { flagNames, getLabel, toAttributes } from './control.ts';
import { composerMarkupTexts as texts } from './markup-texts.ts';
import { composerTexts as scriptTexts } from './texts.ts';

const field = (
  name: string,
  label: string,
  toControl: (attributes: Html) => Html,
  hint?: Html | string,
): Html =>
  html`<div class="field"><label for="share-${name}">${label}</label>${toControl(toAttributes(name, hint !== undefined))}${hint && html`<p class="hint" id="share-${name}-hint">${hint}</p>`}<p class="err" id="share-${name}-wrong" role="alert"></p></div>`;

const choices = (
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string, isOff?: boolean])[],
  more?: Html,
  hint?: string,
): Html =>
  field(
    name,
    label,
    (attributes) =>
      html`<select class="in"${attributes}${more}>${options.map(([value, text, isOff]) => html`<option value="${value}"${isOff ? new Html(' disabled') : undefined}>${text}</option>`)}</select>`,
    hint,
  );

/** A line for what isn't prose. */
const code = (
  name: string,
  label: string,
  maxLength: number,
  hint: Html | string,
  more?: Html,
): Html =>
  field(
    name,
    label,
    (attributes) =>
      html`<input class="in"${attributes} maxlength="${maxLength}" autocapitalize="none" spellcheck="false"${more}>`,
    hint,
  );

/** What is on or off. The whole row is its label. */
const toggle = (id: string, label: string, about?: string, more?: Html): Html =>
  html`<label class="opt" for="${id}"><span class="grow">${label}${about && html`<span class="blk hint">${about}</span>`}</span><input class="switch" type="checkbox" role="switch"${more ?? html` id="${id}"`}></label>`;

/** Says that an option has an effect only for anyone with the link, where another audience is chosen. */
const onlyLink = html`<span class="blk only-link">${texts.onlyLink}</span>`;

/** Says why a sealed share can't have an option. */
const unlessSealed = (why: string): Html => html`<span class="blk if-sealed">${why}</span>`;

const flag = (name: OptionName): Html => {
  const hint =
    name === 'showsRevisions' &&
    html`<p class="hint" id="share-${name}-hint">${onlyLink}${unlessSealed(texts.noRevisions)}</p>`;
  return html`${toggle(`share-${name}`, getLabel(name), undefined, toAttributes(name, hint !== false))}${hint || undefined}<p class="err" id="share-${name}-wrong" role="alert"></p>`;
};

const flags = flagNames.map(flag);

const passwordKind = (value: string, text: string, more?: Html): Html =>
  html`<button type="button" value="${value}"${more}>${text}</button>`;

const password = html`<section class="unless-sealed">${toggle('has-password', scriptTexts.password, texts.passwordAbout)}<input type="hidden" id="share-passwordMode" name="passwordMode" value="none">
<div class="row wrap mt0" id="password-kinds" hidden><span class="seg" role="group" aria-label="${texts.passwordKinds}">${passwordKind('keep', texts.keepPassword, html` id="keep-password" hidden`)}${passwordKind('random', texts.randomPassword)}${passwordKind('own', texts.ownChoice)}</span><span class="hint" id="random-hint">${texts.randomHint}</span></div>
<div id="own-password" class="mt0" hidden>${code('password', texts.ownPassword, 6, texts.ownPasswordHint)}</div></section>`;

const switched = (name: string, label: string, about: string): Html =>
  html`${toggle(`share-${name}`, label, about, toAttributes(name, true))}<p class="hint" id="share-${name}-hint" hidden></p><p class="err" id="share-${name}-wrong" role="alert"></p>`;

/** Seals the share, and joins a passphrase with its key. Its script says by `data-*` why a switch is off. */
const sealing = html`<section id="sealing" data-stays="${texts.sealedStays}" data-only-new="${texts.onlyNewSealed}" data-needs-https="${texts.needsHttps}" data-passphrase-stays="${texts.passphraseStays}">${switched('sealed', texts.sealed, texts.sealedAbout)}
<div class="if-sealed">${switched('hasPassphrase', texts.passphrase, texts.passphraseAbout)}
<div id="own-passphrase" class="mt0" hidden>${code('passphrase', texts.ownPassphrase, maxPassphraseLength, texts.ownPassphraseHint(maxPassphraseLength))}</div></div></section>`;

/** When the share expires, as far as MAX_SHARE_AGE allows it: what is longer can be seen and not chosen. */
const expiration = (): Html => {
  const max = getMaxShareSeconds();
  const longest = max === undefined ? undefined : describeSpan(max);
  const period = (seconds: number, text: string) =>
    [String(seconds), text, max !== undefined && seconds > max] as const;
  return choices(
    'expires',
    texts.expires,
    [
      ['never', longest === undefined ? texts.never : texts.longest(longest)],
      period(3_600, texts.inHour),
      period(86_400, texts.inDay),
      period(604_800, texts.inWeek),
      period(2_592_000, texts.inMonth),
      ['date', scriptTexts.onDate],
    ],
    longest === undefined ? undefined : html` data-max-age="${max}" data-longest="${longest}"`,
    longest === undefined ? undefined : texts.longestHint(longest),
  );
};

const ends = (): Html => html`<section><h3>${texts.ends}</h3>
<div class="two">${expiration()}${field(
  'viewLimit',
  getLabel('viewLimit'),
  (attributes) =>
    html`<input class="in"${attributes} type="number" inputmode="numeric" min="1" max="${maxViews}" step="1" placeholder="${texts.noLimit}">`,
)}</div>
<div id="expiry-date" class="mt0" hidden>${field('expiresAt', texts.expiresAt, (attributes) => html`<input class="in"${attributes} type="datetime-local">`)}</div>
<div class="shared-only">${toggle('burn', scriptTexts.burn, texts.burnAbout)}</div>
<div id="end-offer" class="mt0" hidden><p class="hint">${texts.endOffer}</p><button type="button" class="btn danger" id="end-now">${texts.endNow}</button></div></section>`;

const slug = code(
  'slug',
  getLabel('slug'),
  maxSlugLength,
  html`${texts.slugHint}<span class="blk" id="guessable" hidden>${texts.guessable}</span>`,
);

/** Anyone sees what a site embeds. */
const embedding = (session: PageSession): Html => {
  const isAllowed = session.state !== 'signed-in' || session.audience.max === 'link';
  return code(
    'embedOrigins',
    getLabel('embedOrigins'),
    2_000,
    isAllowed ? html`${texts.embedHint}${onlyLink}${unlessSealed(texts.notSealed)}` : texts.tooWide,
    isAllowed ? undefined : new Html(' disabled'),
  );
};

const more = (
  session: PageSession,
): Html => html`<details class="more" id="more"><summary class="row">${icon('right')}${texts.moreOptions}<span class="end cut hint" id="more-set">${texts.moreAbout}</span></summary>${slug}
${embedding(session)}
<div class="mt0">${flags}</div></details>`;

const line = html`<hr class="sep">`;

/** The options of a share. They open over the bar that shows them; on phones, as a sheet. */
export const optionsPopover = (session: PageSession): Html =>
  html`<div popover id="options" data-sheet class="drawer opts" role="dialog" aria-labelledby="options-title"><header><h2 id="options-title">${texts.options}</h2><button type="button" class="btn primary sm end" popovertarget="options" popovertargetaction="hide">${texts.done}</button></header>
<div class="fill">${audienceChoice(session)}
${line}<div class="shared-only">${password}</div>
${sealing}
${line}${ends()}
${more(session)}</div></div>`;
