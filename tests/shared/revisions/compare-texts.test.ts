import { applyPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { compareTexts, maxDiffLength } from '../../../shared/revisions/compare-texts.ts';

const names = ['revision 1', 'current'] as const;
const base = Array.from({ length: 40_000 }, (_, line) => `Line ${line} ${'x'.repeat(line % 60)}`);

const edits: Readonly<Record<string, (lines: string[]) => string[]>> = {
  'its first line': ([, ...others]) => ['First', ...others],
  'a line before the first': (lines) => ['First', ...lines],
  'its last line': (lines) => [...lines.slice(0, -1), 'Last'],
  'a line after the last': (lines) => [...lines, 'Last'],
  'lines in several places': (lines) => [
    ...lines.slice(5, 20_000),
    'Middle',
    ...lines.slice(20_002),
  ],
};

describe('the diff of texts of more than 2 MB', () => {
  it.each(Object.keys(edits))('has the change of %s with its context', (name) => {
    const from = `${base.join('\n')}\n`;
    for (const end of ['\n', '']) {
      const to = edits[name]?.([...base]).join('\n') + end;
      expect(from.length + to.length).toBeGreaterThan(2 * maxDiffLength);
      const { diff, isCut } = compareTexts(names, from, to);
      expect([isCut, diff.length < 2_000, applyPatch(from, diff) === to]).toEqual([
        false,
        true,
        true,
      ]);
    }
  });

  it('replaces and cuts what has more lines than can be compared', () => {
    const { diff, isCut } = compareTexts(names, '\n'.repeat(8_000_000), 'a\n'.repeat(4_000_000));
    expect([isCut, diff.length <= maxDiffLength]).toEqual([true, true]);
    expect(diff.split('\n').slice(2, 4)).toEqual(['@@ -1,8000000 +1,4000000 @@', '-']);
  });
});
