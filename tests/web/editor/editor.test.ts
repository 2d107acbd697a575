import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange, findChange } from '../../../functions/web/browser/editor/changes.ts';
import { type Format, format } from '../../../functions/web/browser/editor/formatting.ts';
import type { Language } from '../../../functions/web/browser/editor/text-editor.ts';
import { createRecorder } from '../../../functions/web/browser/editor/typed-changes.ts';
import { countBytes } from '../../../shared/text/count-bytes.ts';

describe('findChange', () => {
  it.each([
    ['', 'a', { from: 0, to: 0, insert: 'a' }],
    ['one two', 'one too', { from: 5, to: 6, insert: 'o' }],
    ['aaa', 'aa', { from: 2, to: 3, insert: '' }],
    ['same', 'same', undefined],
  ])('from %j to %j is the smallest change', (before, after, change) => {
    expect(findChange(before, after)).toEqual(change);
  });

  it('leads from any text to any other', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n') });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = findChange(before, after);
        expect(change ? applyChange(before, change) : before).toBe(after);
      }),
    );
  });
});

describe('the recorder of a textarea', () => {
  const replay = ({ getHistory }: ReturnType<typeof createRecorder>): string => {
    const { text, changes } = getHistory();
    return changes.reduce(applyChange, text);
  };

  it('keeps each change with its time, so that all can be undone', () => {
    const recorder = createRecorder('');
    recorder.note('a', 1);
    recorder.note('ab', 2);
    recorder.note('b', 3);
    expect(recorder.getHistory()).toEqual({
      text: '',
      changes: [
        { from: 0, to: 0, insert: 'a', time: 1 },
        { from: 1, to: 1, insert: 'b', time: 2 },
        { from: 0, to: 1, insert: '', time: 3 },
      ],
    });
    expect(replay(recorder)).toBe('b');
  });

  it('starts again with a text that was loaded', () => {
    const recorder = createRecorder('');
    recorder.note('a', 1);
    recorder.restart('A draft');
    recorder.note('A draft!', 2);
    expect(recorder.getHistory()).toEqual({
      text: 'A draft',
      changes: [{ from: 7, to: 7, insert: '!', time: 2 }],
    });
  });

  it('compares no long texts', () => {
    const recorder = createRecorder('short');
    const long = 'x'.repeat(100_001);
    recorder.note(long, 1);
    expect(recorder.getHistory()).toEqual({ text: long, changes: [] });
  });
});

it('countBytes counts bytes of UTF-8', () => {
  expect(countBytes('aé€😀')).toBe(10);
});

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
