import { randomUUID } from 'node:crypto';
import { call } from '../service/call.ts';
import { moreThanAPage, newUser, params, type TypicalCalls } from './sample-request.ts';

const sale = {
  amount: 49.9,
  cost: 12.5,
  customer: 'Example Ltd',
  category: 'Books',
  soldAt: '2026-11-01T12:00:00Z',
};

/** Creates a user who records sales in a category with some existing counters. */
const newSeller = async () => {
  const { token } = await newUser('user', ['sales:*']);
  const make = async (externalId?: string) =>
    (await call('POST /api/sales', { token, body: { ...sale, externalId } })).body.data.id;
  return { token, make };
};

export const saleCalls: TypicalCalls = {
  'GET /api/sales': async () => {
    const { token, make } = await newSeller();
    await moreThanAPage(make);
    return () => call('GET /api/sales', { token });
  },
  'GET /api/sales (of a category)': async () => {
    const { token, make } = await newSeller();
    await moreThanAPage(make);
    return () => call('GET /api/sales', { token, query: { category: sale.category } });
  },
  'GET /api/sales/export': async () => {
    const { token, make } = await newSeller();
    await moreThanAPage(make);
    return () => call('GET /api/sales/export', { token });
  },
  'POST /api/sales/export': async () => {
    const { token, make } = await newSeller();
    await moreThanAPage(make);
    return () => call('POST /api/sales/export', { token });
  },
  'GET /api/sales/{id}': async () => {
    const { token, make } = await newSeller();
    const id = await make();
    return () => call('GET /api/sales/{id}', { token, ...params(id) });
  },
  // No category, so that no counter is new.
  'POST /api/sales': async () => {
    const { token } = await newSeller();
    const body = { ...sale, category: null, externalId: 'order-1001' };
    return () => call('POST /api/sales', { token, body });
  },
  // Moves to another month and category with existing counters.
  'PUT /api/sales/{id}': async () => {
    const { token, make } = await newSeller();
    const id = await make('order-1002');
    const body = { amount: 39.9, category: null, soldAt: '2026-10-01T12:00:00Z' };
    return () => call('PUT /api/sales/{id}', { token, ...params(id), body });
  },
  'DELETE /api/sales/{id}': async () => {
    const { token, make } = await newSeller();
    const id = await make('order-1003');
    return () => call('DELETE /api/sales/{id}', { token, ...params(id) });
  },
  'POST /api/sales/{id}/refund': async () => {
    const { token, make } = await newSeller();
    const id = await make(`order-${randomUUID()}`);
    return () => call('POST /api/sales/{id}/refund', { token, ...params(id) });
  },
};
