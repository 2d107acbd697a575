import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Item, itemParser } from '../../../shared/db/item-parser.ts';

interface Thing {
  readonly id: number;
  readonly name: string;
  readonly note?: string;
}

const parseThing = itemParser<Thing>('thing', ['id', 'name']);

describe('itemParser', () => {
  it('returns an item with all required attributes as it is', () => {
    const item: Item = { pk: 'THING#1', sk: 'THING', id: 1, name: '' };
    expect(parseThing(item)).toBe(item);
    expectTypeOf(parseThing(item)).toEqualTypeOf<Thing>();
  });

  it('returns undefined for an absent item', () => {
    const absent: Item | undefined = undefined;
    expect(parseThing(absent)).toBeUndefined();
    expectTypeOf(parseThing(absent as Item | undefined)).toEqualTypeOf<Thing | undefined>();
  });

  it('throws for an item of another kind, naming no values', () => {
    expect(() => parseThing({ id: 1, secret: 'hunter2' })).toThrow(/^A stored thing has no name$/);
  });

  it('accepts only attributes of the record', () => {
    // @ts-expect-error: a thing has no title
    itemParser<Thing>('thing', ['title']);
  });
});
