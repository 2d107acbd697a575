import * as z from 'zod';
import { RecordId } from '../../../shared/db/ids.ts';
import { paginated, Success, success } from '../../../shared/http/envelope.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { oneLine } from '../../../shared/input/fields.ts';
import { unlessEmpty } from '../../../shared/lists/filters.ts';
import { pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { timeBounds } from '../../../shared/lists/time-bounds.ts';
import { idOf } from './audit.ts';
import { refund, remove, update } from './change.ts';
import { SaleChange, SaleInput, toNewSale, toSaleFields } from './input.ts';
import { list, type SaleFilter } from './list.ts';
import type { StoredSale } from './sale.ts';
import { create, read } from './sales.ts';
import { Sale, SaleDeleted, SalePage, toShown } from './schemas.ts';

const params = z.object({ id: RecordId });

const versionOf = ({ data }: { readonly data: { readonly version: number } }) => data.version;

const text = (max: number) => z.preprocess(unlessEmpty, oneLine(max).optional());

const SaleQuery = z.object({
  ...pageQuery,
  ...sortBy(['soldAt']),
  category: text(50),
  customer: text(200),
  ...timeBounds('Sold'),
});

const toFilter = ({ category, customer, from, to }: z.output<typeof SaleQuery>): SaleFilter => ({
  category,
  customer,
  from,
  before: to,
});

export const routes = [
  route({
    endpoint: 'GET /api/sales',
    access: 'sales:view',
    summary:
      'Sales, refunded ones too, the one sold last first, by page or cursor; one filter at a time, `from` and `to` being one',
    query: SaleQuery,
    output: SalePage,
    handle: async ({ actor, query }) =>
      paginated(await list(actor.user.id, toFilter(query), query), toShown),
  }),
  route({
    endpoint: 'GET /api/sales/{id}',
    access: 'sales:view',
    summary: 'A sale',
    params,
    output: Success(Sale),
    versionOf,
    handle: async ({ params: { id } }) => success(toShown(await read(id))),
  }),
  route({
    endpoint: 'POST /api/sales',
    access: 'sales:create',
    summary:
      'Record a sale; one with an `externalId` that comes again is recorded once, and answered with `Idempotency-Replayed: true`',
    status: 201,
    body: SaleInput,
    output: Success(Sale),
    errors: { CONFLICT: 'The `externalId` is that of a sale with other content' },
    audit: 'sale.create',
    repeats: {
      recall: async (_, subject) => success(toShown(await read(idOf(subject))), 'Recorded'),
    },
    versionOf,
    handle: async ({ body, change }) => {
      const { sale, isRepeat } = await create(toNewSale(body), change);
      const headers = isRepeat ? { 'idempotency-replayed': 'true' } : {};
      return new Reply(success(toShown(sale), 'Recorded'), { headers });
    },
  }),
  route({
    endpoint: 'PUT /api/sales/{id}',
    access: 'sales:update',
    summary:
      'Change the fields of a sale that are sent, and all sums with it; null takes an optional one away',
    params,
    body: SaleChange,
    output: Success(Sale),
    audit: 'sale.update',
    versionOf,
    handle: async ({ params: { id }, body, ifMatch, change }) => {
      const edit = (sale: StoredSale) => toSaleFields(sale, body);
      return success(toShown(await update(id, edit, ifMatch, change)), 'Saved');
    },
  }),
  route({
    endpoint: 'DELETE /api/sales/{id}',
    access: 'sales:delete',
    summary: 'Delete a sale, out of all sums that it is still in; its `externalId` is free again',
    params,
    output: SaleDeleted,
    audit: 'sale.delete',
    versionOf: () => undefined,
    handle: async ({ params: { id }, ifMatch, change }) => {
      await remove(id, ifMatch, change);
      return success({ id }, 'Deleted');
    },
  }),
  route({
    endpoint: 'POST /api/sales/{id}/refund',
    access: 'sales:update',
    summary:
      'Refund a sale in full: it stays listed, and the sums of its month, its category and in all fall',
    params,
    output: Success(Sale),
    errors: { CONFLICT: 'The sale is refunded already' },
    audit: 'sale.refund',
    repeats: {
      recall: async (_, subject) => success(toShown(await read(idOf(subject))), 'Refunded'),
    },
    versionOf,
    handle: async ({ params: { id }, ifMatch, change }) =>
      success(toShown(await refund(id, ifMatch, change)), 'Refunded'),
  }),
];
