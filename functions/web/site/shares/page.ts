import { html } from '../../../../shared/text/html.ts';
import type { ShellPage } from '../../layout/shell.ts';
import { icon } from '../../layout/shell-parts.ts';
import { sharesTexts as texts } from './texts.ts';

/** Renders the page of your shares, which its script fills. */
export const sharesPage = (): ShellPage => ({
  title: texts.title,
  path: '/shares',
  actions: html`<a class="btn primary hide-s" href="/">${icon('plus')}${texts.write}</a>`,
  styles: ['shares.css'],
  script: 'shares.js',
  main: html`<div class="plain shares" id="main">
<h2 class="vh" id="shares-title" tabindex="-1">${texts.title}</h2>
<p id="loading" role="status">${texts.loading}</p>
<p class="wrong" id="failure" role="alert"></p>
<div id="content" hidden>
<div id="search-field" role="search"><label for="search">${texts.search}</label>
<input id="search" type="search" autocomplete="off" aria-describedby="search-hint">
<p class="hint" id="search-hint">${texts.searchHint}</p></div>
<p class="done" id="shares-done" role="status"></p>
<p class="wrong" id="shares-wrong" role="alert"></p>
<ul class="records" id="shares"></ul>
<p id="none" hidden>${texts.none} <a href="/">${texts.write}</a></p>
<p id="found" role="status"></p>
<button type="button" class="quiet" id="more" hidden>${texts.more}</button>
</div>
<dialog id="confirm" aria-labelledby="confirm-title" aria-describedby="confirm-text"><form method="dialog">
<h2 id="confirm-title"></h2>
<p id="confirm-text"></p>
<p class="choice"><button class="quiet" value="cancel" autofocus>${texts.cancel}</button>
<button class="danger" id="confirm-yes" value="yes"></button></p>
</form></dialog>
</div>`,
});
