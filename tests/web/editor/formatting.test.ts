import { describe, expect, it } from 'vitest';
import { applyChange } from '../../../functions/web/browser/editor/changes.ts';
import { type Format, format } from '../../../functions/web/browser/editor/formatting.ts';
import type { Language } from '../../../functions/web/browser/editor/text-editor.ts';

/** Formats a text in which `‹` and `›` enclose the selection, and returns it in the same way. */
const apply = (name: Format, marked: string, language: Language = 'markdown'): string => {
  const from = marked.indexOf('‹');
  const text = marked.replace(/[‹›]/g, '');
  const { change, selection } = format(name, language, text, { from, to: marked.indexOf('›') - 1 });
  const changed = applyChange(text, change);
  return `${changed.slice(0, selection.from)}‹${changed.slice(selection.from, selection.to)}›${changed.slice(selection.to)}`;
};

describe('formatting Markdown', () => {
  it.each<[Format, string, string]>([
    ['bold', 'a ‹word› here', 'a **‹word›** here'],
    ['bold', 'a ‹› here', 'a **‹›** here'],
    ['italic', '‹word›', '*‹word›*'],
    ['italic', '**‹word›**', '***‹word›***'],
    ['code', 'call ‹it›', 'call `‹it›`'],
    ['code', 'x\na‹b\nc›d\ny', 'x\n```\n‹ab\ncd›\n```\ny'],
    ['link', 'see ‹the docs›.', 'see [the docs](‹https://›).'],
    ['link', '‹https://example.com/label›', '[‹›](https://example.com/label)'],
    ['link', '‹url and label›', '[url and label](‹https://›)'],
    ['image', '‹›', '![](‹https://›)'],
    ['heading', 'one\ntw‹›o\nthree', 'one\n## two‹›\nthree'],
    ['quote', 'o‹ne\ntw›o\nthree', '‹> one\n> two›\nthree'],
    ['list', '‹one\ntwo›', '‹- one\n- two›'],
    ['list', '‹- one\ntwo›', '‹- - one\n- two›'],
  ])('%s: %j becomes %j', (name, before, after) => {
    expect(apply(name, before)).toBe(after);
  });

  it.each<[Format, string]>([
    ['bold', 'a ‹word› here'],
    ['italic', 'a ‹word› here'],
    ['italic', '**‹word›**'],
    ['code', '‹word›'],
    ['quote', '‹one\ntwo›'],
    ['list', '‹one\ntwo›'],
    ['heading', '‹one›'],
  ])('%s is removed from %j by formatting it again', (name, text) => {
    expect(apply(name, apply(name, text))).toBe(text);
  });

  it('removes a heading of any level', () => {
    expect(apply('heading', '‹#### one›')).toBe('‹one›');
  });
});

describe('formatting HTML', () => {
  it.each<[Format, string, string]>([
    ['heading', '‹One›', '<h2>‹One›</h2>'],
    ['bold', '<strong>‹One›</strong>', '‹One›'],
    ['link', '‹One›', '<a href="‹https://›">One</a>'],
    ['link', '‹https://example.com›', '<a href="https://example.com">‹›</a>'],
    ['image', '‹A cat›', '<img src="‹https://›" alt="A cat">'],
    ['list', '‹One›', '<ul>\n<li>‹One›</li>\n</ul>'],
  ])('%s: %j becomes %j', (name, before, after) => {
    expect(apply(name, before, 'html')).toBe(after);
  });
});
