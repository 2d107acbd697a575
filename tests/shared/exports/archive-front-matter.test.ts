import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { addFrontMatter, takeFrontMatter } from '../../../shared/exports/archive-front-matter.ts';

const values = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.array(fc.string({ unit: 'binary' })),
);
const fields = fc.record({ title: values, tags: values, folder: values });

describe('front matter', () => {
  it('is taken as it was put, before any text', () => {
    fc.assert(
      fc.property(fields, fc.string({ unit: 'binary' }), (given, text) => {
        expect(takeFrontMatter(addFrontMatter(given, text))).toEqual({ fields: given, text });
      }),
    );
  });

  it('is YAML', () => {
    fc.assert(
      fc.property(fields, (given) => {
        expect(parse(addFrontMatter(given, '').slice(4, -4))).toEqual(given);
      }),
    );
  });

  it('can be changed by hand', () => {
    expect(takeFrontMatter('---\ntitle: A plan: "B"\nnote\nfolder: null\n---\nText')).toEqual({
      fields: { title: 'A plan: "B"', folder: null },
      text: 'Text',
    });
  });

  it.each(['', 'Text', '---\ntitle: A', '---\r\ntitle: A\r\n---\r\n'])(
    'isn’t found in %j',
    (text) => {
      expect(takeFrontMatter(text)).toBeUndefined();
    },
  );
});
