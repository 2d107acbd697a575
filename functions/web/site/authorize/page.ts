import { maxExpirySeconds, maxSharesPerDay } from '../../../../shared/input/share-limits.ts';
import { type Audience, audiences } from '../../../../shared/permissions/audiences.ts';
import { Html, html } from '../../../../shared/text/html.ts';
import { areMembersKnown } from '../../../../shared/users/audience.ts';
import { ceilingTexts } from '../../browser/ceiling-texts.ts';
import { document } from '../../layout/document.ts';
import { seal } from '../../layout/gate/seal.ts';
import { siteTexts } from '../../layout/texts.ts';
import type { Theme } from '../../layout/theme.ts';
import { consentPageTexts as texts } from './texts.ts';

const dayS = 86_400;

/** Renders an audience with what is before and after it in the sentence. Those that aren’t possible are taken out by the script. */
const option = (audience: Audience): Html => {
  const [before, label, after] = ceilingTexts.audiences[audience];
  const isOff = audience === 'members' && !areMembersKnown();
  return html`<option value="${audience}" data-before="${texts.itMayPublish} ${before}" data-after="${after}"${isOff ? new Html(' disabled') : undefined}>${label}</option>`;
};

/** Renders a sentence with a number, whose error is below it. */
const boundLine = (
  name: 'maxAgeDays' | 'sharesPerDay',
  max: number,
  one: string,
  many: string,
): Html => {
  const [before, , , label] = ceilingTexts.bounds[name];
  return html`<div class="line">${before} <input class="in" name="${name}" inputmode="numeric" autocomplete="off" maxlength="7" aria-label="${label}" aria-describedby="${name}-error" data-max="${max}" data-wrong="${ceilingTexts.boundWrong(max)}"> <span data-one="${one}" data-many="${many}">${many}</span></div>
<p class="err" id="${name}-error" aria-live="polite"></p>`;
};

/** Renders what the app may publish, as sentences with fields. */
const ceiling = (): Html => {
  const [, day, days] = ceilingTexts.bounds.maxAgeDays;
  return html`<fieldset class="ceil"><legend class="vh">${texts.publishes}</legend>
<div class="line"><span data-before></span> <select class="in" name="maxAudience" aria-label="${ceilingTexts.audience}">${audiences.map(option)}</select> <span data-after></span></div>
${boundLine('maxAgeDays', maxExpirySeconds / dayS, day, days)}
${boundLine('sharesPerDay', maxSharesPerDay, texts.aDay, texts.aDay)}
</fieldset>`;
};

/** Renders the question, which the script completes. */
const question = (): Html =>
  html`<form class="at-gate consent" id="consent" method="post" novalidate hidden>
<div class="pair" aria-hidden="true"><span class="app-ic" data-initial></span><i class="i-dots"></i><span class="brand"></span></div>
<h1 tabindex="-1"></h1>
<p data-about></p>
<div class="whoami"><span class="av" aria-hidden="true" data-initials></span><span class="grow cut" data-email></span><button type="button" id="switch" aria-label="${texts.switchAccountWhy}">${texts.switchAccount}</button></div>
<ul class="grants" aria-label="${texts.grants}"></ul>
${ceiling()}
<p class="bad" role="alert" data-failure hidden></p>
<div class="two-btn"><button type="button" class="btn lg" id="deny">${texts.deny}</button><button type="button" class="btn primary lg" id="allow" aria-disabled="true">${texts.allow}</button></div>
<p class="foot-l">${texts.revoke} <span>${texts.place}</span>.</p>
</form>`;

/** Renders what is said in place of the question, such as why it can’t be asked. */
const notice = html`<div class="at-gate" id="notice" hidden>
<div data-mark="cross">${seal('cross')}</div><div data-mark="check" hidden>${seal('check')}</div>
<h1 tabindex="-1"></h1>
<p data-about></p>
<p class="note" data-detail hidden></p>
<div class="ways" hidden></div>
</div>`;

const help = html`<button type="button" popovertarget="help">${texts.help}</button>
<dl id="help" popover>${texts.helpOn.map(([term, about]) => html`<dt>${term}</dt><dd>${about}</dd>`)}</dl>`;

/**
 * Renders the page that asks a user whether an app may act for them. It is the same for all requests and users: its script asks the
 * API about both.
 */
export const consentPage = (theme: Theme | undefined): string =>
  document({
    title: `${texts.title} · ${siteTexts.brand}`,
    theme,
    kind: 'gate',
    styles: ['gate.css', 'authorize.css'],
    scripts: ['authorize.js'],
    // It says so in its card.
    isReadable: true,
    contentId: 'page',
    body: html`<header><a class="brand" href="/">${siteTexts.brand}</a></header>
<main id="page" tabindex="-1"><noscript><p class="at-gate">${siteTexts.needsScript}</p></noscript>
<div class="at-gate waits" id="wait" role="status" hidden><h1 tabindex="-1">${texts.loading}</h1><p data-about hidden></p></div>
${question()}
${notice}</main>
<footer>${help}</footer>`,
  });
