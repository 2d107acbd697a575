import { describe, expect, it } from 'vitest';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { look, newSeller, record, recorded } from '../../support/sales/sales.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

const now = '2026-11-21T12:00:00.000Z';
useVirtualTime(now);
useTable();

const { seller } = usePeople({ seller: newSeller });

const whole = {
  amount: 49.9,
  cost: 12.5,
  currency: 'EUR',
  customer: 'Example Ltd',
  category: 'Books',
  soldAt: '2026-10-31T23:30:00.000Z',
  externalId: 'order-1',
};

/** The defaults of a new sale. */
const fresh = { refundedAt: null, createdAt: now, updatedAt: now, version: 1 };

const errorOf = async (body: unknown) => {
  const response = await record(seller, body);
  const { code, details } = response.body.error ?? {};
  return { status: response.status, code, details };
};

const refused = (field: string, message: string) => ({
  status: 400,
  code: 'VALIDATION_ERROR',
  details: [{ field, message }],
});

describe('POST /api/sales', () => {
  it('returns 201 with the sale, and GET returns the same', async () => {
    const response = await record(seller, whole);
    const { id } = response.body.data;
    expect([response.status, response.body]).toEqual([
      201,
      {
        success: true,
        data: { id: expect.any(Number), ...whole, day: null, ...fresh },
        message: 'Recorded',
      },
    ]);
    const seen = await look(seller, id);
    expect([seen.status, seen.body]).toEqual([200, { success: true, data: response.body.data }]);
  });

  it('requires only an amount', async () => {
    const { body } = await record(seller, { amount: 3 });
    expect(body.data).toEqual({
      id: expect.any(Number),
      amount: 3,
      cost: 0,
      currency: 'EUR',
      customer: null,
      category: null,
      soldAt: now,
      day: null,
      externalId: null,
      ...fresh,
    });
  });

  it('treats null and empty text as no value', async () => {
    const nothing = { cost: null, currency: null, customer: null, soldAt: null, externalId: '' };
    const { status, body } = await record(seller, { amount: 3, ...nothing, category: ' ' });
    expect([status, body.data]).toMatchObject([
      201,
      {
        cost: 0,
        currency: 'EUR',
        customer: null,
        category: null,
        soldAt: now,
        day: null,
        externalId: null,
      },
    ]);
  });

  it.each([
    ['a time of another zone', '2026-11-01T00:30:00+02:00', '2026-10-31T22:30:00.000Z'],
    ['a day', '2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['microseconds', '2026-11-01T01:02:03.456789Z', '2026-11-01T01:02:03.456Z'],
  ])('converts the time of the sale to UTC: %s', async (_, soldAt, kept) => {
    expect((await record(seller, { amount: 1, soldAt })).body.data.soldAt).toBe(kept);
  });

  it.each([
    ['nothing', {}, 'amount', 'is required'],
    ['an amount that is none', { amount: true }, 'amount', 'must be a number such as 12.34'],
    [
      'another currency',
      { amount: 1, currency: 'USD' },
      'currency',
      'must be EUR, the currency of this service',
    ],
    [
      'a cost that is none',
      { amount: 1, cost: 'much' },
      'cost',
      'must be a decimal number such as 12.34',
    ],
    [
      'tomorrow',
      { amount: 1, soldAt: '2026-11-22T12:00:01Z' },
      'soldAt',
      'must not be in the future',
    ],
    ['1969', { amount: 1, soldAt: '1969-12-31' }, 'soldAt', 'must be from 1970 to 9998'],
    [
      'a time without a zone',
      { amount: 1, soldAt: '2026-11-01T00:00:00' },
      'soldAt',
      'must be a time such as 2026-11-21T12:00:00Z, or a day such as 2026-11-21',
    ],
    [
      'a long category',
      { amount: 1, category: 'x'.repeat(51) },
      'category',
      'must be at most 50 characters',
    ],
    [
      'a customer with bidirectional control characters',
      { amount: 1, customer: 'a\u202eb' },
      'customer',
      'must not contain bidirectional control characters',
    ],
  ])('rejects %s', async (_, body, field, message) => {
    expect(await errorOf(body)).toEqual(refused(field, message));
  });

  it('logs the sale in the audit', async () => {
    const id = await recorded(seller, { amount: '7.05', category: 'Books' });
    const [entry, ...others] = await entriesAbout(`sale:${id}`);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: 'sale.create',
      actorId: seller.id,
      after: { amount: 7.05, cost: 0, currency: 'EUR', category: 'Books', soldAt: now },
    });
  });
});

describe('repeated externalId', () => {
  const sale = { amount: 20, category: 'Books', externalId: 'again-1' };

  it('returns the first response and counts the sale once', async () => {
    const first = await record(seller, sale);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    const before = (await itemsOf('SALE')).length;
    for (const body of [
      sale,
      { ...sale, soldAt: first.body.data.soldAt },
      { ...sale, amount: '20.00' },
    ]) {
      const again = await record(seller, body);
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers['idempotency-replayed']).toBe('true');
    }
    expect((await itemsOf('SALE')).length).toBe(before);
  });

  it('returns the same sale to any user who records sales', async () => {
    const first = await record(seller, { ...sale, externalId: 'again-2' });
    const other = await record(await newSeller(), { ...sale, externalId: 'again-2' });
    expect(other.body).toEqual(first.body);
  });

  it('returns 409 naming the fields that differ', async () => {
    await record(seller, { ...sale, externalId: 'again-3' });
    const other = { ...sale, externalId: 'again-3', amount: 21, soldAt: '2026-01-01' };
    const message = 'is already used by a sale with a different amount, soldAt';
    expect(await errorOf(other)).toEqual({
      status: 409,
      code: 'CONFLICT',
      details: [{ field: 'externalId', message }],
    });
  });

  it('records one sale for ten concurrent requests', async () => {
    const many = await Promise.all(
      Array.from({ length: 10 }, () => record(seller, { ...sale, externalId: 'at-once' })),
    );
    expect(new Set(many.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1);
    const first = many.filter(({ headers }) => headers['idempotency-replayed'] === undefined);
    expect(first).toHaveLength(1);
  });
});

describe('GET /api/sales/{id}', () => {
  it.each(['1', '0', 'x', '9007199254740993'])(
    'returns 404 for an unknown sale: %s',
    async (id) => {
      expect((await look(seller, id)).status).toBe(404);
    },
  );
});
