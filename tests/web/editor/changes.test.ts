import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countBytes } from '../../../functions/web/browser/editor/bytes.ts';
import { applyChange, findChange } from '../../../functions/web/browser/editor/changes.ts';
import { createRecorder } from '../../../functions/web/browser/editor/typed-changes.ts';

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
