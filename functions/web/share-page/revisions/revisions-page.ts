import type { TextDiff } from '../../../../shared/revisions/compare-texts.ts';
import { cutDiff } from '../../../../shared/revisions/diff-lines.ts';
import { countTextBytes } from '../../../../shared/storage/stored-text.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import type { StoredRevision } from '../../../api/share/record/revisions.ts';
import { getTitle, type StoredShare } from '../../../api/share/record/share.ts';
import { document } from '../../layout/document.ts';
import { siteTexts } from '../../layout/texts.ts';
import type { Theme } from '../../layout/theme.ts';
import { sharePageTexts } from '../texts.ts';
import { formatMinute } from '../times/dates.ts';
import { diffLines } from './diff-lines.ts';
import { revisionsTexts as texts } from './texts.ts';

/** A revision compared with a later content; without `to`, with the current one. */
export interface Comparison extends TextDiff {
  readonly version: number;
  readonly to: number | undefined;
}

/** What the page of revisions shows. */
export interface RevisionsPage {
  readonly share: StoredShare;
  /** The newest first. */
  readonly revisions: readonly StoredRevision[];
  readonly comparison: Comparison | undefined;
  readonly canRestore: boolean;
  readonly theme: Theme | undefined;
}

const address = (id: string, version: number, to?: number): string =>
  `/s/${id}/revisions?version=${version}${to === undefined ? '' : `&to=${to}`}#changes`;

/** Renders what can be done with a revision. */
const actions = (
  { share: { id }, canRestore }: RevisionsPage,
  { version }: StoredRevision,
): Html => {
  const path = `/s/${id}/revisions/${version}`;
  return html`<div class="row end"><a class="btn ghost sm" href="${address(id, version)}" rel="nofollow" aria-describedby="at-${version}">${texts.changes}</a><a class="btn ghost sm" href="${path}/raw" rel="nofollow" aria-describedby="at-${version}">${texts.raw}</a>${canRestore ? html`<button class="btn sm" type="button" data-restores="/api/share/${id}/revisions/${version}/restore" aria-describedby="at-${version}" hidden>${texts.restore}</button>` : undefined}</div>`;
};

const item = (shown: RevisionsPage, one: StoredRevision): Html => {
  const { version, language } = one;
  const { share, comparison } = shown;
  const isChosen = comparison?.version === version;
  return html`<li${isChosen ? html` aria-current="true"` : undefined}><div><p id="at-${version}">${texts.until} ${formatMinute(one.replacedAt)}</p><p class="hint">${formatBytes(countTextBytes(one.texts))} · ${language === 'html' ? 'HTML' : 'Markdown'}</p></div>
${share.sealed ? undefined : actions(shown, one)}</li>
`;
};

const list = (shown: RevisionsPage): Html =>
  shown.revisions.length === 0
    ? html`<p>${texts.none}</p>\n`
    : html`<ol class="revisions">\n${shown.revisions.map((one) => item(shown, one))}</ol>\n`;

/** Renders which revision is compared, and the choice of what with. For the newest, the next content is the current one. */
const choice = ({ share: { id }, revisions }: RevisionsPage, { version, to }: Comparison): Html => {
  const chosen = revisions.find((one) => one.version === version);
  const next = revisions.findLast((one) => one.version > version)?.version;
  const option = (label: string, of: number | undefined) =>
    html`<a class="btn sm" href="${address(id, version, of)}" rel="nofollow"${of === to ? html` aria-current="true"` : undefined}>${label}</a>`;
  return html`<nav class="row" aria-labelledby="compared"><span class="hint" id="compared">${chosen && html`${texts.revisionUntil} ${formatMinute(chosen.replacedAt)}, `}${texts.comparedWith}</span>${option(texts.current, undefined)}${next === undefined ? undefined : option(texts.next, next)}</nav>
`;
};

const changes = (shown: RevisionsPage, comparison: Comparison): Html => {
  const { diff, isCut, lineEnds } = comparison;
  const cut = cutDiff(diff);
  const same = diff === '' ? texts.same : undefined;
  const remark = lineEnds ? texts.lineEnds(lineEnds.from, lineEnds.to) : same;
  return html`<section id="changes" aria-labelledby="changes-title"><h2 id="changes-title">${texts.changes}</h2>
${choice(shown, comparison)}${remark && html`<p>${remark}</p>\n`}${diff === '' ? undefined : html`<pre class="diff" tabindex="0" role="group" aria-label="${texts.table}" dir="auto">${diffLines(cut)}</pre>`}
${isCut || cut !== diff ? html`<p class="hint">${texts.cut}</p>` : undefined}</section>`;
};

/** Renders the former contents of a share, and what one of them differs in. Only restoring one needs the script. */
export const revisionsPage = (shown: RevisionsPage): string => {
  const { share, comparison, theme } = shown;
  const title = getTitle(share) ?? sharePageTexts.untitled;
  return document({
    title: texts.title(title),
    theme,
    kind: 'reading',
    styles: ['revisions.css'],
    scripts: ['revisions.js'],
    contentId: 'main',
    isReadable: true,
    body: html`<header class="reader-bar"><a class="brand" href="/"><span class="vh">${siteTexts.brand}</span></a><span class="at cut" dir="auto">${title}</span><div class="row end"><a class="btn" href="/s/${share.id}">${texts.back}</a></div></header>
<main id="main" class="reader wide"><h1 class="title">${texts.heading}</h1>
<p class="hint">${texts.kept}</p>${share.sealed ? html`\n<p>${texts.sealed}</p>` : undefined}
${list(shown)}${comparison && changes(shown, comparison)}</main>
<div class="toasts" role="status"></div>`,
  });
};
