import { markBareLinks } from './bare-links.ts';
import { openNewTabs } from './new-tabs.ts';
import { followTheme } from './picture-theme.ts';
import { renderedHtmlTexts as texts } from './texts.ts';
import type { Theme } from './theme.ts';

/** Returns the address of a file’s exact text. The name is markup. */
export type FileUrl = (name: string) => string;

/** How a rendered text is read. */
export interface Reading {
  /** Gives files a link to their exact text. */
  readonly toUrl?: FileUrl;
  /** Whether long lines of code have no switch that wraps them. */
  readonly isPreview?: boolean;
  /** Whether links open new tabs, because coming back would ask or count again. */
  readonly opensTabs?: boolean;
  /** The colors that the reader chose. */
  readonly theme?: Theme | undefined;
}

/** Prepares the links and pictures of a rendered fragment for its reader. Links that are their own address are marked. */
export const decorateLinks = (
  rendered: string,
  { opensTabs = false, theme }: Reading = {},
): string => {
  const marked = followTheme(markBareLinks(rendered), theme);
  return opensTabs ? openNewTabs(marked) : marked;
};

/** What a block of code is: its language for readers, and the name of its file. All are markup. */
interface Code {
  readonly tag: string;
  readonly language: string | undefined;
  readonly file: string | undefined;
}

const wrapSwitch = `<button type="button" class="btn ghost sm icon" data-wraps-lines aria-label="${texts.wrap}" title="${texts.wrap}" aria-pressed="false" hidden><i class="i-wrap"></i></button>`;

/** Opens a block of code with its heading and buttons, which a script shows: they do nothing without one. */
const openCode = ({ tag, language, file }: Code, { toUrl, isPreview }: Reading): string => {
  const heading =
    file === undefined
      ? (language ?? texts.code)
      : `<span class="cut">${[file, language].filter(Boolean).join(' · ')}</span>`;
  const label = file ?? (language ? texts.codeIn(language) : texts.code);
  const raw =
    file !== undefined && toUrl
      ? `<a class="btn ghost sm end" href="${toUrl(file)}">${texts.raw}</a>`
      : '';
  return `<figure class="codebox" aria-label="${label}"><figcaption>${heading}${raw}<button type="button" class="btn ghost sm${raw ? '' : ' end'}" data-copies-code hidden><i class="i-copy"></i>${texts.copy}</button>${isPreview ? '' : wrapSwitch}</figcaption><pre tabindex="0">${tag}`;
};

// An author’s elements have none of the attributes that tell ours: the sanitizer removes them.
const replacements: Readonly<Record<string, string>> = {
  '</table>': '</table></div>',
  '<input type="checkbox" disabled="" checked="" />': `<input type="checkbox" disabled checked aria-label="${texts.checked}">`,
  '<input type="checkbox" disabled="" />': `<input type="checkbox" disabled aria-label="${texts.unchecked}">`,
};

const replacedTags =
  /<table(?: [^>]*)?>|<\/table>|<input type="checkbox" disabled="" (?:checked="" )?\/>/g;

/** A block of code. Authors can write a `pre` with more or less in it. */
const codeBlocks =
  /<pre>(<code(?: class="(?:hljs )?language-([^"]+)")?(?: data-language="([^"]+)")?(?: data-file="([^"]*)"(?: data-unended)?)?>)([^<]*(?:<(?!\/?(?:pre|code)\b)[^<]*)*<\/code><\/pre>)/g;

/** Wide content scrolls in its own box, which the keyboard can reach. */
const openTable = (tag: string): string =>
  `<div class="scroll" role="group" aria-label="${texts.table}" tabindex="0">${tag}`;

/** What else scrolls: a `pre` that an author wrote, which has no box of ours around it, and a wide formula in a line. */
const otherBoxes = /<pre(?=[ >])(?! tabindex="0")|class="tml-wide"/g;

const boxes: Readonly<Record<string, string>> = {
  '<pre': `role="group" aria-label="${texts.preformatted}" tabindex="0"`,
  'class="tml-wide"': 'tabindex="0"',
};

const formulas = /<math display="block".*?<\/math>/gs;

const openFormula = (math: string): string =>
  `<span class="scroll formula" role="group" aria-label="${texts.formula}" tabindex="0">${math}</span>`;

/**
 * Prepares a rendered fragment for readers: scrollable boxes are focusable, checkboxes have labels, code has a heading
 * with its language and file, and links and pictures are as their reader needs them.
 */
export const decorateHtml = (rendered: string, reading: Reading = {}): string =>
  decorateLinks(rendered, reading)
    .replace(formulas, openFormula)
    .replace(replacedTags, (tag) => replacements[tag] ?? openTable(tag))
    .replace(
      codeBlocks,
      (_, tag: string, written?: string, language = written, file?: string, rest = '') =>
        `${openCode({ tag, language, file }, reading)}${rest}</figure>`,
    )
    .replace(otherBoxes, (box) => `${box} ${boxes[box]}`);

/** Whether a rendered fragment has a diagram: the class is ours, since authors’ own HTML keeps none. */
export const hasDiagram = (rendered: string): boolean =>
  rendered.includes('<pre><code class="language-mermaid"');

/** Whether a rendered fragment is the lines of a file with its table or tree, or with why there is none. */
export const hasFileView = (rendered: string): boolean =>
  rendered.startsWith('<div class="file-views">');

/** Returns the name of the file that is all a fragment consists of, as markup. */
export const toOnlyFile = (rendered: string): string | undefined => {
  const isOneBlock =
    rendered.startsWith('<pre>') &&
    rendered.lastIndexOf('<pre>') === 0 &&
    rendered.trimEnd().endsWith('</code></pre>');
  return isOneBlock || hasFileView(rendered)
    ? /<pre><code [^>]*data-file="([^"]*)"/.exec(rendered)?.[1]
    : undefined;
};
