import { type Html, html } from '../../../shared/text/html.ts';
import { checkinTexts as texts } from '../browser/texts.ts';

/** Renders the check-in card, which its script fills. */
export const checkinCard = (): Html =>
  html`<section class="card" aria-labelledby="checkin-title">
<h2 id="checkin-title" tabindex="-1">${texts.title}</h2>
<dl class="figures">
<div><dt>${texts.points}</dt><dd id="points"></dd></div>
<div><dt>${texts.streak}</dt><dd id="streak"></dd></div>
</dl>
<p id="today"></p>
<p class="wrong" id="checkin-wrong" role="alert"></p>
<button type="button" id="check-in">${texts.checkIn}</button>
<p class="done" id="checkin-done" role="status"></p>
</section>`;
