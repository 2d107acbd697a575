import { html } from '../../../../shared/text/html.ts';
import type { ShellPage } from '../../layout/shell.ts';
import { moderationTexts as texts } from './texts.ts';

/**
 * Renders the moderation page, which its script fills. `previewUrl` is the page of the
 * snippets host that shows HTML.
 */
export const moderationPage = (previewUrl: string): ShellPage => ({
  title: texts.title,
  path: '/moderation',
  styles: ['moderation.css'],
  script: 'moderation.js',
  main: html`<div class="plain moderation" id="main">
<h2 class="vh" id="moderation-title" tabindex="-1">${texts.title}</h2>
<p id="loading" role="status">${texts.loading}</p>
<p class="wrong" id="failure" role="alert"></p>
<p class="done" id="moderation-done" role="status"></p>
<p class="wrong" id="moderation-wrong" role="alert"></p>
<section id="list" aria-labelledby="list-title" hidden>
<h2 id="list-title">${texts.reported}</h2>
<p id="none" hidden>${texts.none}</p>
<ul class="records" id="shares"></ul>
<button type="button" class="quiet" id="more" hidden>${texts.more}</button>
</section>
<section id="review" aria-labelledby="review-title" hidden>
<p><a href="/moderation">${texts.back}</a></p>
<h2 id="review-title" tabindex="-1" dir="auto"></h2>
<p class="about" id="review-about"></p>
<p id="review-description" dir="auto"></p>
<h3>${texts.reports}</h3>
<p id="no-reports" hidden>${texts.noReports}</p>
<ul class="records" id="reports"></ul>
<h3>${texts.content}</h3>
<p id="no-content" hidden>${texts.noContent}</p>
<div class="preview" id="preview" data-frame="${previewUrl}"></div>
<p class="choice"><button type="button" class="danger" id="take-down">${texts.takeDown}</button>
<button type="button" class="quiet" id="keep">${texts.keep}</button></p>
</section>
</div>`,
});
