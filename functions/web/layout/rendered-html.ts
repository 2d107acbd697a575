import { renderedHtmlTexts as texts } from './texts.ts';

// Only tags that micromark wrote can match: it escapes every `<` of the source.
const replacements: Readonly<Record<string, string>> = {
  // Wide content scrolls in its own box, which the keyboard can reach.
  '<table>': `<div class="scroll" role="group" aria-label="${texts.table}" tabindex="0"><table>`,
  '</table>': '</table></div>',
  '<pre>': '<pre tabindex="0">',
  '<input type="checkbox" disabled="" checked="" />': `<input type="checkbox" disabled checked aria-label="${texts.checked}">`,
  '<input type="checkbox" disabled="" />': `<input type="checkbox" disabled aria-label="${texts.unchecked}">`,
};

const replacedTags =
  /<table>|<\/table>|<pre>|<input type="checkbox" disabled="" (?:checked="" )?\/>/g;

/** Makes a rendered fragment accessible: scrollable boxes are focusable, and checkboxes have labels. */
export const decorateHtml = (rendered: string): string =>
  rendered.replace(replacedTags, (tag) => replacements[tag] ?? tag);

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
