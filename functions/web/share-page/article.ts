import { withoutUnshownImages } from '../../../shared/markdown/links-and-images/unshown-images.ts';
import { findTitle } from '../../../shared/markdown/page/title.ts';
import { Html, html } from '../../../shared/text/html.ts';
import type { StyleName } from '../layout/asset.ts';
import { decorateHtml, decorateLinks, hasFileView, type Reading } from '../layout/rendered-html.ts';
import { sharePageTexts as texts } from './texts.ts';

/** The id of the content of a share’s page. Ids beside a text have a capital letter: no slug of a heading has one. */
export const mainId = 'Main';

/** A contents list starts at this number of headings. */
const minHeadings = 3;

const wordsPerMinute = 220;

/** A heading that the contents list links to. `label` is escaped. */
interface Entry {
  readonly rank: number;
  readonly id: string;
  readonly label: string;
}

/** A Markdown share as its page shows it: the title, apart from the text if the text starts with it, and the rest. */
export interface Article {
  readonly title: string;
  /** The title as markup; `undefined` if it stands within the text. */
  readonly heading: Html | undefined;
  readonly body: Html;
  /** `undefined` for a short text. */
  readonly contents: Html | undefined;
  /** `undefined` for what isn’t read from its start to its end. */
  readonly minutes: number | undefined;
  /** Its style, besides that of all texts. */
  readonly styles: readonly StyleName[];
}

const anchor = /<a class="anchor".*?<\/a>/gs;

// A fragment is well formed and escapes `<` elsewhere. Only what nests in no other heading, and without images, moves.
const leadingHeading =
  /^\s*<h1( id="[^"]*")?[^>]*>((?:(?!<\/?(?:h[1-6]|img|picture)[ >]).)*)<\/h1>/s;
const frontMatter = /^<div class="front-matter".*?<\/div>\n/s;
// Ids with a capital letter aren’t slugs.
const headingWithId = /<h([1-6]) id="([^"A-Z]*)"[^>]*>(.*?)<\/h\1>/gs;

const toLabel = (heading: string): string =>
  withoutUnshownImages(heading)
    .replace(anchor, '')
    .replace(/<sup>.*?<\/sup>|<[^>]*>/gs, '')
    .trim();

/** Leaves out deeper headings as soon as there are enough. */
const chooseEntries = (entries: readonly Entry[]): readonly Entry[] => {
  for (let rank = 1; rank <= 6; rank++) {
    const chosen = entries.filter((entry) => entry.rank <= rank);
    if (chosen.length >= minHeadings) return chosen;
  }
  return [];
};

const contentsList = (entries: readonly Entry[]): Html | undefined => {
  const chosen = chooseEntries(entries);
  if (chosen.length === 0) return undefined;
  return html`<nav class="toc" aria-label="${texts.contents}"><details><summary><i class="i-right"></i>${texts.contents}</summary><ol>
${chosen.map(({ rank, id, label }) => html`<li${rank > 2 ? new Html(' class="deep"') : undefined}><a href="#${new Html(id)}">${new Html(label)}</a></li>\n`)}</ol></details></nav>
`;
};

/** Whether a character belongs to a script that writes without spaces: Thai, kana and Han. */
const isDense = (code: number): boolean =>
  (code >= 0x0e00 && code <= 0x0e7f) || (code >= 0x3040 && code <= 0x9fff);

/** Estimates the time to read a text. Characters of a script without spaces are half a word each. */
const countMinutes = (rendered: string): number => {
  let words = 0;
  let isInTag = false;
  let isInWord = false;
  for (let at = 0; at < rendered.length; at++) {
    const code = rendered.charCodeAt(at);
    if (code === 60) isInTag = true;
    const isLetter = !isInTag && code > 32;
    if (isLetter && isDense(code)) words += 0.5;
    else if (isLetter && !isInWord) words++;
    isInWord = isLetter;
    if (code === 62) isInTag = false;
  }
  return Math.max(1, Math.round(words / wordsPerMinute));
};

/** Reads a rendered text and the title of its share, which may be absent. The text was sanitized when it was stored. */
export const toArticle = (
  rendered: string,
  shareTitle: string | undefined,
  reading: Reading = {},
): Article => {
  const title = shareTitle ?? texts.untitled;
  const [front = ''] = rendered.match(frontMatter) ?? [];
  const text = rendered.slice(front.length);
  const [leading, id = '', content = ''] = text.match(leadingHeading) ?? [];
  const isInText = title === findTitle(text);
  const startsWithTitle = leading !== undefined && isInText;
  const isWithin = isInText && !startsWithTitle;
  const rest = startsWithTitle ? front + text.slice(leading.length) : rendered;
  const entries = Array.from(rest.matchAll(headingWithId), ([, rank, name = '', inner = '']) => ({
    rank: Number(rank),
    id: name,
    label: toLabel(inner),
  })).filter(({ label }) => label !== '');
  const heading = startsWithTitle
    ? new Html(
        `<h1${id} class="title" dir="auto">${decorateLinks(content.replace(anchor, ''), reading)}</h1>`,
      )
    : html`<h1 class="title" dir="auto">${title}</h1>`;
  const isFileView = hasFileView(rendered);
  const top: Entry = { rank: 1, id: mainId, label: html`${title}`.markup };
  return {
    title,
    heading: isWithin ? undefined : heading,
    body: new Html(decorateHtml(rest, reading)),
    contents: contentsList(isWithin ? entries : [top, ...entries]),
    minutes: isFileView ? undefined : countMinutes(rendered),
    styles: isFileView ? ['kinds.css'] : [],
  };
};
