import { Html, html } from '../../../../shared/text/html.ts';
import { languageTexts } from '../../browser/texts.ts';
import { assetPath } from '../../layout/asset.ts';
import { labelled } from '../../layout/fields.ts';
import { layout } from '../../layout/layout.ts';
import { siteTexts } from '../../layout/texts.ts';
import { composerTexts as texts } from './texts.ts';

const checked = new Html(' checked');

/** Choices of which one is taken, side by side. */
const segments = (
  name: string,
  legend: string,
  choices: readonly (readonly [string, string])[],
): Html =>
  html`<fieldset class="segments" id="${name}-choice"><legend class="visually-hidden">${legend}</legend>${choices.map(([value, label], at) => html`<label><input class="visually-hidden" type="radio" name="${name}" value="${value}"${at === 0 ? checked : undefined}><span>${label}</span></label>`)}</fieldset>`;

const choices = (
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
): Html =>
  labelled(
    'share',
    { name, label },
    (id, describedBy) =>
      html`<select id="${id}" name="${name}" autocomplete="off" aria-describedby="${describedBy}">${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select>`,
  );

const daySeconds = 86_400;

const bar = html`<div class="bar">
${segments('language', texts.language, [
  ['markdown', languageTexts.markdown],
  ['html', languageTexts.html],
])}
<input class="visually-hidden" id="file" type="file" accept=".md,.markdown,.txt,.html,.htm"><label class="button quiet" for="file">${texts.chooseFile}</label>
<button type="button" class="quiet" id="discard" hidden>${texts.discard}</button>
${segments('pane', texts.show, [
  ['write', texts.write],
  ['preview', texts.preview],
])}
<span id="size"></span>
</div>`;

const editor = (previewUrl: string): Html => html`<div class="panes" id="panes">
<div class="pane writing"><label class="visually-hidden" for="share-content">${texts.content}</label>
<textarea id="share-content" name="content" placeholder="${texts.placeholder}" autocomplete="off" aria-describedby="share-content-wrong"></textarea></div>
<section class="pane preview" id="preview" aria-label="${texts.preview}" tabindex="0" data-frame="${previewUrl}" data-worker="${assetPath('markdown-worker.js')}"><p class="empty">${texts.nothingToShow}</p></section>
</div>
<p class="wrong" id="share-content-wrong" role="alert"></p>`;

const password = html`<div>
${choices('passwordMode', texts.password, [
  ['none', texts.noPassword],
  ['random', texts.randomPassword],
  ['own', texts.ownChoice],
])}
<div id="own-password" hidden>${labelled(
  'share',
  { name: 'password', label: texts.ownPassword, hint: texts.ownPasswordHint },
  (id, describedBy) =>
    html`<input id="${id}" name="password" type="text" maxlength="6" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${describedBy}">`,
)}</div>
</div>`;

const views = labelled(
  'share',
  { name: 'viewLimit', label: texts.viewLimit, hint: texts.viewLimitHint },
  (id, describedBy) =>
    html`<input id="${id}" name="viewLimit" type="number" inputmode="numeric" min="1" max="1000000" step="1" autocomplete="off" aria-describedby="${describedBy}">`,
);

const expiry = html`<div>
${choices('expires', texts.expires, [
  ['never', texts.never],
  ['3600', texts.inHour],
  [String(daySeconds), texts.inDay],
  [String(7 * daySeconds), texts.inWeek],
  [String(30 * daySeconds), texts.inMonth],
  ['date', texts.onDate],
])}
<div id="expiry-date" hidden>${labelled(
  'share',
  { name: 'expiresAt', label: texts.expiresAt },
  (id, describedBy) =>
    html`<input id="${id}" name="expiresAt" type="datetime-local" autocomplete="off" aria-describedby="${describedBy}">`,
)}</div>
</div>`;

const result = html`<section class="card" id="result" aria-labelledby="result-title" hidden>
<h2 id="result-title" tabindex="-1">${texts.shared}</h2>
<label for="result-link">${texts.link}</label>
<div class="copy"><input id="result-link" type="text" readonly autocomplete="off" spellcheck="false">
<button type="button" id="copy-link" aria-label="${texts.copyLink}">${texts.copy}</button></div>
<p class="done" id="link-copied" role="status"></p>
<div class="secret" id="result-secret" hidden>
<label for="result-password">${texts.sharedPassword}</label>
<div class="copy"><input id="result-password" type="text" readonly autocomplete="off" spellcheck="false">
<button type="button" id="copy-password" aria-label="${texts.copyPassword}">${texts.copy}</button></div>
<p class="done" id="password-copied" role="status"></p>
</div>
<p class="next"><a class="button quiet" id="open" target="_blank" rel="noopener">${texts.open}</a>
<a class="button quiet" id="edit">${texts.editThis}</a>
<a class="button quiet" href="/">${texts.another}</a></p>
</section>`;

/** The page to write and share a snippet. `previewUrl` is the page on the snippets' host that shows HTML. */
export const composerPage = (previewUrl: string): string =>
  layout({
    title: `${texts.pageTitle} · ${siteTexts.brand}`,
    kind: 'composer',
    styles: ['prose.css', 'composer.css'],
    script: 'composer.js',
    site: 'new',
    main: html`<main id="main">
<h1 class="visually-hidden" id="heading">${texts.pageTitle}</h1>
<p class="told" role="status"><span id="told"></span> <button type="button" class="quiet" id="undo" hidden>${texts.undo}</button></p>
<p class="told" role="status"><span id="older"></span> <button type="button" class="quiet" id="bring-back" hidden>${texts.bringBack}</button></p>
<p class="wrong" id="failure" role="alert"></p>
<p id="back" hidden><a href="/shares">${texts.back}</a></p>
${result}
<form id="composer" method="post" autocomplete="off" novalidate>
<div class="head"><div class="field"><label class="visually-hidden" for="share-title">${texts.title}</label>
<input class="title" id="share-title" name="title" placeholder="${texts.addTitle}" autocomplete="off" aria-describedby="share-title-wrong">
<p class="wrong" id="share-title-wrong" role="alert"></p></div>
<div class="field"><label class="visually-hidden" for="share-description">${texts.description}</label>
<input class="description" id="share-description" name="description" placeholder="${texts.addDescription}" autocomplete="off" aria-describedby="share-description-wrong">
<p class="wrong" id="share-description-wrong" role="alert"></p></div></div>
${bar}
${editor(previewUrl)}
<fieldset class="options"><legend class="visually-hidden">${texts.options}</legend>
${password}
<div>${views}
<div id="end-offer" hidden><p class="hint">${texts.endOffer}</p>
<button type="button" class="danger" id="end-now">${texts.endNow}</button></div></div>
${expiry}
</fieldset>
<div class="send"><button type="submit" id="send">${texts.share}</button>
<p class="hint" id="shortcut">${texts.shortcut}</p>
<p class="hint" id="signed-out" hidden>${texts.signedOut}</p>
<div id="sending" hidden><progress id="progress" max="100" aria-label="${texts.progress}"></progress><span id="percent"></span></div></div>
<p class="wrong" data-failure role="alert"></p>
<p id="sign-in" hidden><a class="button quiet" href="/login" target="_blank" rel="noopener">${siteTexts.signIn}</a></p>
</form>
</main>`,
  });
