import { countBytes } from '../../text/count-bytes.ts';
import type { FileBlock } from '../files/file-blocks.ts';
import { lineIdPrefix } from '../files/line-numbers.ts';
import { renderCsv } from './csv-table.ts';
import { detectKind } from './detect-kind.ts';
import { renderJson } from './json-tree.ts';
import { kindTexts as texts } from './texts.ts';
import type { FileView, ViewProblem } from './view.ts';

/** What stands around a view and the lines. UTF-8 bytes. */
const frameBytes = 1_024;

const render = (
  { name, text }: FileBlock,
  maxBytes: number,
): FileView | ViewProblem | undefined => {
  const kind = detectKind(name);
  switch (kind) {
    case 'csv':
    case 'tsv':
      return renderCsv(text, kind === 'tsv' ? '\t' : undefined, maxBytes);
    case 'json':
    case 'json-lines':
      return renderJson(text, kind === 'json-lines', maxBytes);
    default:
      return undefined;
  }
};

/** Writes the switch between a view and the lines, which works without a script. It has no form, also within one. */
const writeSwitch = ({ name, about }: FileView): string => {
  const choice = (value: string, label: string, isChecked: boolean) =>
    `<label><input type="radio" name="FileView" value="${value}" form="None"${isChecked ? ' checked' : ''}>${label}</label>`;
  return `<fieldset class="views"><legend class="vh">${texts.view}</legend>${choice(name, texts.views[name], true)}${choice('text', texts.text, false)}<span class="end">${about}</span></fieldset>`;
};

const writeProblem = ({ line, reason }: ViewProblem): string => {
  const place =
    line === undefined ? '' : `<a href="#${lineIdPrefix(1, 1)}${line}">${texts.line(line)}</a> `;
  return `<p class="not-shown">${texts.shownAsText} ${place}${reason}.</p>`;
};

/**
 * Adds the table or the tree of a file to the lines of its page, of which it is all, or says why there is none. Leaves the
 * page as it is if the file is of another kind, or the result exceeds `maxBytes` (UTF-8) (decisions.md#kinds).
 */
export const addFileView = (lines: string, file: FileBlock, maxBytes: number): string => {
  const bytesLeft = maxBytes - countBytes(lines) - frameBytes;
  const view = bytesLeft > 0 ? render(file, bytesLeft) : undefined;
  if (!view) return lines;
  if (!('html' in view)) return `<div class="file-views">${writeProblem(view)}\n${lines}</div>\n`;
  return `<div class="file-views">${writeSwitch(view)}\n<div class="view">${view.html}</div>\n<div class="lines">${lines}</div></div>\n`;
};
