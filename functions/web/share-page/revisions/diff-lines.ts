import { groupLines } from '../../../../shared/revisions/diff-lines.ts';
import { escapeHtml, Html, html } from '../../../../shared/text/html.ts';

/** Renders a diff in the unified format: what was added and removed, the places (`b`) and remarks (`i`). */
export const diffLines = (diff: string): Html => {
  const groups = groupLines(diff).map(
    ({ tag, lines }) => new Html(`<${tag}>${escapeHtml(lines.join('\n'))}\n</${tag}>`),
  );
  return html`${groups}`;
};
