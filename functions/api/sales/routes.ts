import * as z from 'zod';
import { parseSubjectId } from '../../../shared/audit/record-diff.ts';
import { RecordId } from '../../../shared/db/ids.ts';
import { Deleted, paginated, Success, success } from '../../../shared/http/envelope.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { exportRoutes } from './export-route.ts';
import { CreateSaleInput, toNewSale, toSaleFields, UpdateSaleInput } from './input.ts';
import { list } from './list.ts';
import { SaleQuery, toFilter } from './list-query.ts';
import type { StoredSale } from './sale.ts';
import { create, read } from './sales.ts';
import { Sale, SalePage, toResponse } from './schemas.ts';
import { refund, remove, update } from './update.ts';

const params = z.object({ id: RecordId });

const getVersion = ({ data }: { readonly data: { readonly version: number } }) => data.version;

export const routes = [
  route({
    endpoint: 'GET /api/sales',
    access: 'sales:view',
    summary: 'List sales',
    description:
      'Returns all sales, refunded ones too, last sold first. Use one filter at a time; `from` and `to` count as one.',
    query: SaleQuery,
    output: SalePage,
    handle: async ({ actor, query }) =>
      paginated(await list(actor.user.id, toFilter(query), query), toResponse),
  }),
  ...exportRoutes,
  route({
    endpoint: 'GET /api/sales/{id}',
    access: 'sales:view',
    summary: 'Get a sale',
    params,
    output: Success(Sale),
    versionOf: getVersion,
    handle: async ({ params: { id } }) => success(toResponse(await read(id))),
  }),
  route({
    endpoint: 'POST /api/sales',
    access: 'sales:create',
    summary: 'Record a sale',
    description:
      'A sale with a known `externalId` is recorded once; repeating it returns the recorded sale with `Idempotency-Replayed: true`. The sale and all totals change atomically.',
    status: 201,
    body: CreateSaleInput,
    output: Success(Sale),
    errors: { CONFLICT: 'The `externalId` belongs to a sale with different content.' },
    auditAction: 'sale.create',
    idempotency: {
      replay: async (_, subject) =>
        success(toResponse(await read(parseSubjectId(subject))), 'Recorded'),
    },
    versionOf: getVersion,
    handle: async ({ body, recorder }) => {
      const { sale, isRepeat } = await create(toNewSale(body), recorder);
      const headers = isRepeat ? { 'idempotency-replayed': 'true' } : {};
      return new Reply(success(toResponse(sale), 'Recorded'), { headers });
    },
  }),
  route({
    endpoint: 'PUT /api/sales/{id}',
    access: 'sales:update',
    summary: 'Update a sale',
    description:
      'Changes only the fields you send; `null` clears an optional one. All totals change with it, atomically.',
    params,
    body: UpdateSaleInput,
    output: Success(Sale),
    auditAction: 'sale.update',
    versionOf: getVersion,
    handle: async ({ params: { id }, body, ifMatch, recorder }) => {
      const edit = (sale: StoredSale) => toSaleFields(sale, body);
      return success(toResponse(await update(id, edit, ifMatch, recorder)), 'Saved');
    },
  }),
  route({
    endpoint: 'DELETE /api/sales/{id}',
    access: 'sales:delete',
    summary: 'Delete a sale',
    description: 'Removes the sale from all totals. Its `externalId` can be used again.',
    params,
    output: Deleted,
    auditAction: 'sale.delete',
    versionOf: () => undefined,
    handle: async ({ params: { id }, ifMatch, recorder }) => {
      await remove(id, ifMatch, recorder);
      return success({ id }, 'Deleted');
    },
  }),
  route({
    endpoint: 'POST /api/sales/{id}/refund',
    access: 'sales:update',
    summary: 'Record a refund of a sale',
    description:
      'Refunds the sale in full. It stays in the list, but no longer counts in any total.',
    params,
    output: Success(Sale),
    errors: { CONFLICT: 'The sale is already refunded.' },
    auditAction: 'sale.refund',
    idempotency: {
      replay: async (_, subject) =>
        success(toResponse(await read(parseSubjectId(subject))), 'Refunded'),
    },
    versionOf: getVersion,
    handle: async ({ params: { id }, ifMatch, recorder }) =>
      success(toResponse(await refund(id, ifMatch, recorder)), 'Refunded'),
  }),
];
