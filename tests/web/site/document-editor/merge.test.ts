import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compare,
  mergeBoth,
  mergeTitles,
  type Part,
} from '../../../../functions/web/site/document-editor/browser/parts/merge.ts';

const merge = (base: string | undefined, mine: string, theirs: string) =>
  mergeBoth(compare(base, mine, theirs));

/** Returns one of the versions that were compared. */
const versionOf = (parts: readonly Part[], whose: 'mine' | 'theirs') =>
  parts.flatMap((part) => (part.kind === 'same' ? part.lines : part[whose])).join('\n');

const plan = '# Plan\n\nThe cover is white.\n\n## Dates\n- Proofs\n- Fair';

describe('a comparison of two versions of a document', () => {
  it('keeps changes of both where they don’t touch', () => {
    const mine = plan.replace('white', 'green');
    const theirs = plan.replace('- Fair', '- Fair: 18 March\n- Rest');
    expect(compare(plan, mine, theirs).filter(({ kind }) => kind === 'place')).toEqual([
      { kind: 'place', mine: ['The cover is green.'], theirs: ['The cover is white.'], by: 'mine' },
      { kind: 'place', mine: ['- Fair'], theirs: ['- Fair: 18 March', '- Rest'], by: 'theirs' },
    ]);
    expect(merge(plan, mine, theirs)).toEqual({
      text: '# Plan\n\nThe cover is green.\n\n## Dates\n- Proofs\n- Fair: 18 March\n- Rest',
      overlapAt: undefined,
    });
  });

  it('puts one below the other where both changed the same, or added at the same place', () => {
    const change = (color: string, added: string) =>
      plan.replace('white', color).replace('- Proofs', `- Proofs\n- ${added}`);
    expect(merge(plan, change('green', 'Binding'), change('blue', 'Press'))).toEqual({
      text: '# Plan\n\nThe cover is green.\nThe cover is blue.\n\n## Dates\n- Proofs\n- Binding\n- Press\n- Fair',
      overlapAt: '# Plan\n\n'.length,
    });
  });

  it('has no place where both made the same change', () => {
    const both = plan.replace('white', 'red');
    expect(compare(plan, both, both)).toEqual([{ kind: 'same', lines: both.split('\n') }]);
  });

  it('takes all that differs for changes of both without what they began with', () => {
    expect(merge(undefined, 'a\nmine\nb', 'a\ntheirs\nb')).toEqual({
      text: 'a\nmine\ntheirs\nb',
      overlapAt: 2,
    });
  });

  it('never loses a line of either, and shows both as they are', () => {
    const text = fc
      .array(fc.constantFrom('', 'a', 'b', 'c', 'd'), { maxLength: 12 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        for (const from of [base, undefined]) {
          const parts = compare(from, mine, theirs);
          expect(versionOf(parts, 'mine')).toBe(mine);
          expect(versionOf(parts, 'theirs')).toBe(theirs);
        }
        expect(merge(base, mine, base).text).toBe(mine);
        expect(merge(base, base, theirs).text).toBe(theirs);
        const added = (whose: string) =>
          whose.split('\n').filter((line) => !base.split('\n').includes(line));
        const merged = merge(base, mine, theirs).text.split('\n');
        for (const line of [...added(mine), ...added(theirs)]) expect(merged).toContain(line);
      }),
    );
  });

  it('ends for texts of which hardly a line is the same', () => {
    const lines = (word: string) =>
      Array.from({ length: 40_000 }, (_, at) => `${word} ${at}`).join('\n');
    const parts = compare(lines('old'), lines('mine'), lines('theirs'));
    expect(parts.map(({ kind }) => kind)).toEqual(['place']);
  });
});

describe('titles', () => {
  it('are the one that changed, or both', () => {
    expect(mergeTitles('Plan', 'Mine', 'Plan')).toBe('Mine');
    expect(mergeTitles('Plan', 'Plan', 'Theirs')).toBe('Theirs');
    expect(mergeTitles('Plan', 'Mine', 'Theirs')).toBe('Mine / Theirs');
    expect(mergeTitles(undefined, 'Same', 'Same')).toBe('Same');
  });
});
