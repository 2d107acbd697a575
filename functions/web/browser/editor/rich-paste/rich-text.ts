/** The longest HTML that is read. UTF-16 units. */
export const maxHtmlLength = 1_000_000;

/** The most elements that are read, and how deep they may be: each takes time to convert. */
const maxElements = 10_000;
const maxDepth = 100;

/** Elements whose meaning plain text loses. */
const structure = 'h1,h2,h3,h4,h5,h6,li,table,blockquote,a[href],[data-style*="mso-list:"]';

/**
 * Parses HTML into a document of its own, where no script runs and nothing is loaded. Styles become `data-style`: the
 * policy of the page holds there, too, and each of them would be reported.
 */
export const parseInert = (html: string): Document => {
  const plain = html
    .replace(/<(\/?)style(?=[\s>])/gi, '<$1template')
    .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='));
  return new DOMParser().parseFromString(plain, 'text/html');
};

/** Counts by the text, because parsing is what takes long. */
const hasTooManyTags = (html: string): boolean => html.split('<').length > 3 * maxElements;

const isTooDeep = (element: Element, depth = 0): boolean =>
  depth > maxDepth || [...element.children].some((child) => isTooDeep(child, depth + 1));

const isBareAddress = (element: Element): boolean =>
  element instanceof HTMLAnchorElement &&
  [element.href, element.getAttribute('href')].includes(element.textContent.trim());

/** Pages that show code line by line use tables, and link the lines. */
const isCode = (element: Element): boolean =>
  element.closest('pre, code, .blob-code') !== null ||
  (element.localName === 'table' && element.querySelector('pre, .blob-code') !== null);

/**
 * Returns whether HTML of a clipboard has structure that plain text loses, or whether it is too large to tell. Copies
 * from editors of code have none: their elements only color.
 */
export const inspectRichText = (html: string): 'none' | 'structured' | 'too-large' => {
  // Tells most copies of code apart without parsing.
  if (!/<(?:h[1-6]|li|table|blockquote|a)[\s>]|mso-list:/i.test(html)) return 'none';
  if (html.length > maxHtmlLength || hasTooManyTags(html)) return 'too-large';
  const { body } = parseInert(html);
  const found = [...body.querySelectorAll(structure)].some(
    (element) => element.textContent.trim() !== '' && !isCode(element) && !isBareAddress(element),
  );
  if (!found) return 'none';
  const isTooLarge = body.getElementsByTagName('*').length > maxElements || isTooDeep(body);
  return isTooLarge ? 'too-large' : 'structured';
};
