import { escapeHtml, Html, html } from '../../../../shared/text/html.ts';

/** How much of a diff a page shows, in UTF-16 code units. The API returns up to 1 MB. */
export const maxShownLength = 256 * 1024;

/** The lines before the first difference: the names of both texts. */
const names = /^--- .*\n\+\+\+ .*\n/;

const tags: Readonly<Record<string, string>> = { '+': 'ins', '-': 'del', '@': 'b', '\\': 'i' };
const unchanged = 'span';

/** Wraps lines of the same kind in one element, so that a page has few elements. */
const wrap = (tag: string, lines: readonly string[]): Html =>
  new Html(`<${tag}>${escapeHtml(lines.join('\n'))}\n</${tag}>`);

/**
 * Renders a diff in the unified format: what was added and removed, the places (`b`) and remarks (`i`). Lines keep their
 * sign, because colour alone tells not everyone.
 */
export const diffLines = (diff: string): Html => {
  const rendered: Html[] = [];
  let tag = unchanged;
  let lines: string[] = [];
  for (const line of diff.replace(names, '').replace(/\n$/, '').split('\n')) {
    const next = tags[line.charAt(0)] ?? unchanged;
    if (next !== tag && lines.length > 0) {
      rendered.push(wrap(tag, lines));
      lines = [];
    }
    tag = next;
    lines.push(line);
  }
  return html`${[...rendered, wrap(tag, lines)]}`;
};

/** Cuts a diff for the page, at the end of a line if one ends within. */
export const cutDiff = (diff: string): string => {
  if (diff.length <= maxShownLength) return diff;
  const end = diff.lastIndexOf('\n', maxShownLength - 1);
  return diff.slice(0, end === -1 ? maxShownLength : end + 1);
};
