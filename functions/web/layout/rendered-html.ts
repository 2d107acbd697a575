import { renderedHtmlTexts as texts } from './texts.ts';

/** Opens a block of code with its language and a button, which a script shows: nothing can be copied without one. */
const openCode = (tag: string, language: string | undefined): string =>
  `<figure class="codebox" aria-label="${language ? texts.codeIn(language) : texts.code}"><figcaption>${language ?? texts.code}<button type="button" class="btn ghost sm end" data-copies-code hidden><i class="i-copy"></i>${texts.copy}</button></figcaption><pre tabindex="0">${tag}`;

// Only tags that micromark wrote can match: it escapes every `<` of the source.
const replacements: Readonly<Record<string, string>> = {
  // Wide content scrolls in its own box, which the keyboard can reach.
  '<table>': `<div class="scroll" role="group" aria-label="${texts.table}" tabindex="0"><table>`,
  '</table>': '</table></div>',
  '</code></pre>': '</code></pre></figure>',
  '<input type="checkbox" disabled="" checked="" />': `<input type="checkbox" disabled checked aria-label="${texts.checked}">`,
  '<input type="checkbox" disabled="" />': `<input type="checkbox" disabled aria-label="${texts.unchecked}">`,
};

const replacedTags =
  /<table>|<\/table>|<pre>(<code(?: class="(?:hljs )?language-([^"]+)")?(?: data-language="([^"]+)")?>)|<\/code><\/pre>|<input type="checkbox" disabled="" (?:checked="" )?\/>/g;

const formulas = /<math display="block".*?<\/math>/gs;

const openFormula = (math: string): string =>
  `<span class="scroll formula" role="group" aria-label="${texts.formula}" tabindex="0">${math}</span>`;

/**
 * Prepares a rendered fragment for readers: scrollable boxes are focusable, checkboxes have labels, and code has a
 * heading with its language.
 */
export const decorateHtml = (rendered: string): string =>
  rendered
    .replace(formulas, openFormula)
    .replace(replacedTags, (tag, code?: string, language?: string, name = language) =>
      code === undefined ? (replacements[tag] ?? tag) : openCode(code, name),
    );

/** The maximum length of a title. Code points. */
const maxTitleLength = 200;

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

/** Returns the text of the first `h1`, as the title of a share that has none. */
export const toHeading = (rendered: string): string | undefined => {
  const [, heading] = rendered.match(/<h1(?: id="[^"]*")?>(.*?)<\/h1>/s) ?? [];
  const text = heading
    ?.replace(/<a class="anchor".*?<\/a>|<[^>]*>/gs, '')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity)
    .trim();
  return text ? [...text].slice(0, maxTitleLength).join('') : undefined;
};
