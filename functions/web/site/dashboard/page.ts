import { type Html, html } from '../../../../shared/text/html.ts';
import { assetPath } from '../../layout/asset.ts';
import { layout } from '../../layout/layout.ts';
import { siteTexts } from '../../layout/texts.ts';
import { dashboardTexts as texts } from './texts.ts';
import { type Choice, choices } from './view.ts';

const tile = (id: string, label: string): Html =>
  html`<div class="card tile"><dt>${label}</dt><dd class="number" id="${id}"></dd>
<dd class="growth" id="${id}-growth"></dd><dd class="about" id="${id}-about"></dd></div>
`;

const count = (id: string, label: string): Html =>
  html`<div><dt>${label}</dt><dd id="${id}"></dd></div>`;

/** What a section says while its data is on its way, and where that did not come. */
const state = (id: string): Html =>
  html`<p class="hint" data-loading>${texts.loading}</p>
<p class="wrong" data-failure role="alert"></p>
<button type="button" class="quiet" data-again aria-describedby="${id}-title" hidden>${texts.again}</button>`;

const select = (name: Choice): Html =>
  html`<div class="choose"><label class="visually-hidden" for="${name}">${texts.choose[name]}</label>
<select id="${name}" autocomplete="off">${choices[name].map((value) => html`<option value="${value}">${texts[name](value)}</option>`)}</select></div>`;

/** A card that is loaded by itself; `shown` is hidden until it is. */
const section = (id: string, title: string, shown: Html, chosen?: Choice): Html =>
  html`<section class="card" id="${id}" aria-labelledby="${id}-title">
<div class="title"><h2 id="${id}-title" tabindex="-1">${title}</h2>${chosen && select(chosen)}</div>
${state(id)}
<div data-shown hidden>${shown}</div>
<p class="none" data-none hidden></p>
</section>
`;

const chart = (id: string): Html =>
  html`<p class="sum" id="${id}-sum" role="status"></p>
<div class="plot" id="${id}-plot" role="img" aria-labelledby="${id}-title ${id}-sum"></div>
<p class="key" id="${id}-key"></p>
<p class="hint" id="${id}-missing" role="status" hidden>${texts.noChart}</p>
<details><summary>${texts.asTable}</summary>
<div class="rows" id="${id}-rows" role="region" aria-label="${texts.tableOf(texts[id as 'visits' | 'sales'])}" tabindex="0"></div></details>`;

const numbers = html`<section id="numbers" aria-labelledby="numbers-title">
<h2 class="visually-hidden" id="numbers-title" tabindex="-1">${texts.numbers}</h2>
${state('numbers')}
<div data-shown hidden><dl class="tiles">
${tile('users', texts.users)}${tile('revenue', texts.revenue)}${tile('orders', texts.orders)}${tile('conversion', texts.conversion)}</dl>
<p class="hint" id="compared"></p>
<dl class="card counts">${count('documents', texts.documents)}${count('files', texts.files)}${count('shares', texts.shares)}${count('messages', texts.messages)}${count('pending-tasks', texts.pendingTasks)}</dl></div>
</section>
`;

/** The page of the dashboard, with amounts in this currency: places for what its script is told by the API. */
export const dashboardPage = (currency: string): string =>
  layout({
    title: `${texts.title} · ${siteTexts.brand}`,
    kind: 'dashboard',
    styles: ['dashboard.css'],
    script: 'dashboard.js',
    site: 'dashboard',
    main: html`<main id="main" data-currency="${currency}" data-charts="${assetPath('charts.js')}">
<h1>${texts.title}</h1>
<p id="loading" role="status">${texts.loading}</p>
<p class="wrong" id="failure" role="alert"></p>
<div id="content" hidden>
<div id="whole" hidden>
${numbers}<div class="charts">
${section('visits', texts.visits, chart('visits'), 'days')}${section('sales', texts.sales, chart('sales'), 'months')}</div>
</div>
<div class="cards">
<div class="own">
${section('tasks', texts.tasks, html`<ul class="records" id="task-list"></ul><button type="button" class="quiet" id="all-tasks" hidden></button>`)}${section('today', texts.today, html`<ul class="records" id="event-list"></ul>`)}</div>
${section('parts', texts.parts, html`<ol class="parts" id="part-list"></ol>`, 'by')}</div>
<p class="hint" id="zone"></p>
<p class="hint" id="own-only" hidden>${texts.ownOnly}</p>
</div>
</main>`,
  });
