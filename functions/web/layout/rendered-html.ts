import { renderedHtmlTexts as texts } from './texts.ts';

/** The tags that micromark itself has written: it escapes every `<` of the source. */
const changes: Readonly<Record<string, string>> = {
  // What is wider than the page scrolls within itself, by keyboard too.
  '<table>': `<div class="scroll" role="group" aria-label="${texts.table}" tabindex="0"><table>`,
  '</table>': '</table></div>',
  '<pre>': '<pre tabindex="0">',
  '<input type="checkbox" disabled="" checked="" />': `<input type="checkbox" disabled checked aria-label="${texts.checked}">`,
  '<input type="checkbox" disabled="" />': `<input type="checkbox" disabled aria-label="${texts.unchecked}">`,
};

const changed = /<table>|<\/table>|<pre>|<input type="checkbox" disabled="" (?:checked="" )?\/>/g;

/** A rendered fragment as its page shows it: what scrolls can be reached by keyboard, and boxes have names. */
export const decorateHtml = (rendered: string): string =>
  rendered.replace(changed, (tag) => changes[tag] ?? tag);

/** As much of a heading as a title has. Code points. */
const longestTitle = 200;

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

/** The text of the first heading of the first rank, for a share without a title of its own. */
export const toHeading = (rendered: string): string | undefined => {
  const [, heading] = rendered.match(/<h1(?: id="[^"]*")?>(.*?)<\/h1>/s) ?? [];
  const text = heading
    ?.replace(/<a class="anchor".*?<\/a>|<[^>]*>/gs, '')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity)
    .trim();
  return text ? [...text].slice(0, longestTitle).join('') : undefined;
};
