import * as z from 'zod';
import type { ListResult } from '../lists/pagination.ts';

/** Creates the schema of the success envelope around `data` (decisions.md#envelopes). */
export const Success = <Data extends z.ZodType>(data: Data) =>
  z.object({ success: z.literal(true), data, message: z.string().optional() });

/** Response without data. */
export const Done = Success(z.object({})).meta({
  id: 'EmptyResponse',
  examples: [{ success: true, data: {}, message: 'Signed out' }],
});

/** Response to a deletion. */
export const Deleted = Success(z.object({ id: z.int().positive() })).meta({
  id: 'DeletedRecord',
  examples: [{ success: true, data: { id: 244_212_480_008_192 }, message: 'Deleted' }],
});

/** Wraps data in the success envelope. */
export const success = <Data>(data: Data, message?: string) => ({
  success: true as const,
  data,
  ...(message !== undefined && { message }),
});

/** Creates the schema of a list in the success envelope (decisions.md#lists). */
export const Paginated = <Item extends z.ZodType>(item: Item) =>
  Success(
    z.object({
      items: z.array(item),
      total: z.int(),
      totalIsExact: z
        .boolean()
        .meta({ description: 'Whether `total` is exact. Filtered lists count up to 1,000.' }),
      page: z.int(),
      pageSize: z.int(),
      totalPages: z.int(),
      nextCursor: z.string().nullable(),
    }),
  );

/** Creates an example list of one item for the OpenAPI document. */
export const examplePage = <Item>(item: Item) =>
  success({
    items: [item],
    total: 1,
    totalIsExact: true,
    page: 1,
    pageSize: 10,
    totalPages: 1,
    nextCursor: null,
  });

/** Wraps a list in the success envelope. `show` converts each item. */
export const paginated = <Item, Shown>(
  { items, total, totalIsExact, page, pageSize, nextCursor }: ListResult<Item>,
  show: (item: Item) => Shown,
) =>
  success({
    items: items.map(show),
    total,
    totalIsExact,
    page,
    pageSize,
    totalPages: Math.ceil(total / pageSize),
    nextCursor,
  });

/** Schema of the error envelope (decisions.md#errors). */
export const ErrorEnvelope = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.array(z.object({ field: z.string(), message: z.string() })),
      requestId: z.string(),
    }),
  })
  .meta({ id: 'Error' });

/** Creates an example error for the OpenAPI document. */
export const exampleError = (code: string, message: string): z.output<typeof ErrorEnvelope> => ({
  success: false,
  error: { code, message, details: [], requestId: '6d2a6c1e-3f6b-4f0e-9a52-0a3c5e1d7b94' },
});
