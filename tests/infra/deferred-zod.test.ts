import { describe, expect, it, vi } from 'vitest';
import * as real from 'zod';
import * as deferred from '../../infra/functions/stand-ins/deferred-zod.ts';

/** A shape that tells when a schema is built from it. */
const watched = (z: typeof real) => {
  const build = vi.fn(() => z.string().trim().min(1).max(5));
  const shape = Object.defineProperty({}, 'name', { get: build, enumerable: true });
  return { build, shape: shape as { readonly name: ReturnType<typeof build> } };
};

/** Uses everything that the service's schemas combine. */
const schemaOf = (z: typeof real) => {
  const Base = z.object({ id: z.int().positive(), name: z.string().trim().min(1).max(5) });
  const Entry = Base.extend({ at: z.iso.datetime().optional() }).meta({ description: 'An entry' });
  return z
    .object({
      ...Base.shape,
      kind: z.enum(['a', 'b']).default('a'),
      list: z.array(Entry).max(2),
      either: z.union([z.literal('x'), z.coerce.number<string>().int()]).nullish(),
      text: z.preprocess(
        (value) => value ?? '',
        z.string().transform((text) => text.length),
      ),
      more: z.record(z.string(), z.unknown()).optional(),
      email: z.string().check(z.email()).toLowerCase().optional(),
      code: z
        .string()
        .length(3, 'has the wrong length')
        .regex(/^\w+$/)
        .overwrite((text) => `${text}!`)
        .catch('???'),
      amount: z.number().int().min(2).max(3).nonnegative().nullable().optional(),
      price: z.number().positive().optional(),
      part: Base.pick({ id: true }).strict().optional(),
      rest: z.looseObject({ id: z.null() }).optional(),
      unnamed: Base.omit({ name: true }).partial().optional(),
      length: z.string().transform(Number).pipe(z.number().min(1, 'must not be empty')).optional(),
    })
    .superRefine(({ list }, context) => {
      if (list.length > 1) {
        context.addIssue({ code: 'custom', path: ['list'], message: 'is too long' });
      }
    })
    .refine(({ id }) => id < 10, { path: ['id'], message: 'is too large' });
};

const inputs: readonly unknown[] = [
  { id: 1, name: ' ann ', list: [] },
  { id: 1, name: 'ann', kind: 'b', list: [{ id: 2, name: 'bob' }], either: '7', text: 'abc' },
  { id: 10, name: 'ann', list: [] },
  { id: 0, name: '', kind: 'c', list: [{ id: 1, name: 'too long', at: 'now' }], either: 'y' },
  { list: 'none', more: 1 },
  { id: 1, name: 'ann', list: [], email: 'Ann@Example.com', code: 'abc', amount: 2, price: 0.5 },
  { id: 1, name: 'ann', list: [], email: 'ann', code: 'ab', amount: 4, price: 0 },
  { id: 1, name: 'ann', list: [], amount: 1.5, part: { id: 1 }, rest: { id: null, more: 1 } },
  { id: 1, name: 'ann', list: [], part: { id: 1, more: 1 }, rest: { id: 1 }, unnamed: {} },
  { id: 1, name: 'ann', list: [], unnamed: { id: 0, name: 1 }, length: '0', more: { a: 1 } },
  { id: 1, name: 'ann', list: [1, 2].map((id) => ({ id, name: 'bob' })), length: '7' },
  null,
];

describe('deferred schemas', () => {
  it.each(inputs)('parse as zod does: %j', (input) => {
    const [theirs, ours] = [real, deferred as unknown as typeof real].map((z) =>
      schemaOf(z).safeParse(input),
    );
    expect([ours?.data, ours?.error?.issues]).toEqual([theirs?.data, theirs?.error?.issues]);
  });

  it('are built by their first use, once', () => {
    const z = deferred as unknown as typeof real;
    const { build, shape } = watched(z);
    const Schema = z.object(shape).partial().optional();
    expect(build).toHaveBeenCalledTimes(0);
    expect(Schema.parse({ name: 'ann' })).toEqual({ name: 'ann' });
    const reads = build.mock.calls.length;
    expect(Schema.safeParse({ name: '' }).success).toBe(false);
    expect(build).toHaveBeenCalledTimes(reads);
  });
});
