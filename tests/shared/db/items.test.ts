import { describe, expect, expectTypeOf, it } from 'vitest';
import { type DeclaredFamily, listKeyFamilies } from '../../../infra/build/data-model.ts';
import { createRandomId } from '../../../shared/db/ids.ts';
import { type Item, itemParser } from '../../../shared/db/item-parser.ts';
import { type Key, keyFamily } from '../../../shared/db/key.ts';
import { listParts } from '../../support/pins/pinned-keys.ts';
import fc from '../../support/run/properties.ts';

const sale = keyFamily('SALES#{category:any}', '{soldAt}#{id:id}');

describe('keyFamily', () => {
  it('makes a key from its parts', () => {
    expect(sale.at({ category: 'a#b', soldAt: '2026', id: 42 })).toEqual({
      pk: 'SALES#a#b',
      sk: '2026#0000000000000042',
    });
  });

  it('derives the types of the parts from the templates', () => {
    const typed = keyFamily('A#{list:list}#{folder:optional}', '{kind:X|Y|Z}#{n:int}#{text}');
    expectTypeOf(typed.at).parameter(0).toEqualTypeOf<
      {
        readonly list: `ALL#${number}` | 'EVERYONE' | `OF#${number}` | `SHARED#${number}`;
      } & { readonly folder: number | undefined } & { readonly kind: 'X' | 'Y' | 'Z' } & {
        readonly n: number;
      } & { readonly text: string }
    >();
    expectTypeOf(keyFamily('A', 'B').at).parameters.toEqualTypeOf<[]>();
  });

  it('makes the start of keys up to the first absent part', () => {
    expect(sale.prefix({ category: 'a' })).toEqual({ pk: 'SALES#a', sk: '' });
    expect(sale.prefix({ category: 'a', soldAt: '2026' })).toEqual({ pk: 'SALES#a', sk: '2026#' });
    expect(sale.partition({ category: 'a' })).toEqual({ pk: 'SALES#a' });
  });

  it('spreads keys over all shards by a hash of a part', () => {
    const note = keyFamily('NOTES#OF#{ownerId:int}#{id:shard of 8}', '{id}');
    const partitions = note.partitions({ ownerId: 7 }).map(({ pk }) => pk);
    expect(partitions).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((shard) => `NOTES#OF#7#${shard}`));
    const ids = Array.from({ length: 800 }, (_, at) => `note ${at}`);
    const keys = ids.map((id) => note.at({ ownerId: 7, id }));
    const sizes = partitions.map((pk) => keys.filter((key) => key.pk === pk).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(800);
    expect(Math.min(...sizes)).toBeGreaterThan(60);
    expect(Math.max(...sizes)).toBeLessThan(140);
    expect(keys.map((key) => note.read(key)?.id)).toEqual(ids);
    expect(note.at({ ownerId: 7, id: 'note 1' })).toEqual(keys[1]);
    expect(sale.partitions({ category: 'a' })).toEqual([{ pk: 'SALES#a' }]);
  });

  it.each([
    ['another partition', { pk: 'SALE#a', sk: '2026#0000000000000042' }],
    ['an id without 16 digits', { pk: 'SALES#a', sk: '2026#42' }],
    ['a text with #', { pk: 'SALES#a', sk: '20#26#0000000000000042' }],
  ])('reads no key with %s', (_, key) => {
    expect(sale.read(key)).toBeUndefined();
  });

  it('reads no integer that it would write differently', () => {
    expect(keyFamily('USER#{id:int}', 'USER').read({ pk: 'USER#07', sk: 'USER' })).toBeUndefined();
  });
});

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });

/** Values of each kind of part. */
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text: word.filter((text) => !text.includes('#')),
  any: word,
  line: word.filter((text) => !text.includes('\t')),
  lower: word.map((text) => text.toLowerCase()).filter((text) => text === text.toLowerCase()),
  int: id,
  optional: fc.option(id, { nil: undefined }),
  id,
  part: fc.integer({ min: 0, max: 999_999 }),
  list: fc.oneof(
    fc.constant('EVERYONE'),
    fc.tuple(fc.constantFrom('ALL', 'OF', 'SHARED'), id).map(([scope, of]) => `${scope}#${of}`),
  ),
  first: word,
};

const partsOf = ({ family }: DeclaredFamily) =>
  fc.record(
    Object.fromEntries(
      // A part of both attributes has the values of its kind in the partition key, but a shard is of the sort key's part.
      listParts(family)
        .filter(([, kind]) => !kind.startsWith('shard of'))
        .toReversed()
        .map(([name, kind]) => [
          name,
          kind.includes('|')
            ? fc.constantFrom(...kind.split('|'))
            : (values[kind] ?? fc.constant(kind)),
        ]),
    ),
  );

describe('the families of all groups', async () => {
  const families = await listKeyFamilies();
  const fits = (key: Key) =>
    families.filter(({ family }) => family.read(key)).map(({ name }) => name);

  it.each(families)('$name reads what it makes, and no other family does', (declared) => {
    const { family, name } = declared;
    fc.assert(
      fc.property(partsOf(declared), (parts) => {
        const key = (family.at as (given: unknown) => Key)(parts);
        expect(family.read(key)).toEqual(parts);
        expect(fits(key)).toEqual([name]);
      }),
    );
  });
});

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

describe('random ids', () => {
  it('are 22 characters, and never start as an option of a command does', () => {
    const ids = Array.from({ length: 2_000 }, createRandomId);
    expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
