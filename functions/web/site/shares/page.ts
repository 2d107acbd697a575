import { html } from '../../../../shared/text/html.ts';
import { checkinCard } from '../../layout/checkin-card.ts';
import { layout } from '../../layout/layout.ts';
import { siteTexts } from '../../layout/texts.ts';
import { sharesTexts as texts } from './texts.ts';

/** Renders the page of your shares and the daily check-in, which its script fills. */
export const sharesPage = (): string =>
  layout({
    title: `${texts.title} · ${siteTexts.brand}`,
    kind: 'shares',
    styles: ['shares.css'],
    script: 'shares.js',
    site: 'shares',
    main: html`<main id="main">
<h1 id="shares-title" tabindex="-1">${texts.title}</h1>
<p id="loading" role="status">${texts.loading}</p>
<p class="wrong" id="failure" role="alert"></p>
<div id="content" hidden>
${checkinCard()}
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
</main>`,
  });
