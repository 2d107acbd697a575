import * as z from 'zod';
import { paginated, Success, success } from '../../shared/envelope.ts';
import { unlessEmpty } from '../../shared/filters.ts';
import { RecordId } from '../../shared/ids.ts';
import { onlyOrder, pageQuery } from '../../shared/page.ts';
import { Reply } from '../../shared/reply.ts';
import { route } from '../../shared/route.ts';
import { idOf } from './audited.ts';
import { PointInTime, SaleInput, toNewSale } from './input.ts';
import { list, type SaleFilter } from './list.ts';
import { create, read } from './sales.ts';
import { Sale, SalePage, toShown } from './schemas.ts';

const text = (max: number) => z.preprocess(unlessEmpty, z.string().trim().max(max).optional());

const time = (description: string) =>
  z.preprocess(unlessEmpty, PointInTime.optional().meta({ description }));

const SaleQuery = z.object({
  ...pageQuery,
  ...onlyOrder('soldAt'),
  category: text(50),
  customer: text(200),
  from: time('Sold at this time, or on this day (UTC), or later'),
  to: time('Sold before this time, or on this day (UTC) or before; with `from` it is one filter'),
});

const dayMs = 86_400_000;

/** A day that a period goes to belongs to it. */
const endOf = (to: string): string => {
  const isDay = !to.includes('T');
  return new Date(Date.parse(to) + (isDay ? dayMs : 0)).toISOString();
};

const toFilter = ({ category, customer, from, to }: z.output<typeof SaleQuery>): SaleFilter => ({
  category,
  customer,
  from: from && new Date(from).toISOString(),
  before: to && endOf(to),
});

export const routes = [
  route({
    endpoint: 'GET /api/sales',
    access: 'sales:view',
    summary: 'Sales, the one sold last first, by page or cursor; one filter at a time',
    query: SaleQuery,
    output: SalePage,
    handle: async ({ actor, query }) =>
      paginated(await list(actor.user.id, toFilter(query), query), toShown),
  }),
  route({
    endpoint: 'GET /api/sales/{id}',
    access: 'sales:view',
    summary: 'A sale',
    params: z.object({ id: RecordId }),
    output: Success(Sale),
    handle: async ({ params: { id } }) => success(toShown(await read(id))),
  }),
  route({
    endpoint: 'POST /api/sales',
    access: 'sales:create',
    summary:
      'Record a sale; one with an `externalId` that comes again is answered as the first time, with `Idempotency-Replayed: true`',
    status: 201,
    body: SaleInput,
    output: Success(Sale),
    errors: { CONFLICT: 'The `externalId` is that of a sale with other content' },
    audit: 'sale.create',
    repeats: {
      recall: async (_, subject) => success(toShown(await read(idOf(subject))), 'Recorded'),
    },
    handle: async ({ body, change }) => {
      const { sale, isRepeat } = await create(toNewSale(body), change);
      const headers = isRepeat ? { 'idempotency-replayed': 'true' } : {};
      return new Reply(success(toShown(sale), 'Recorded'), { headers });
    },
  }),
];
