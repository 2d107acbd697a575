import * as z from 'zod';
import { examplePage, Paginated } from '../../../shared/http/envelope.ts';
import { toMajor } from './money.ts';
import type { StoredSale } from './sale.ts';
import { mapTextFields } from './text-fields.ts';

const exampleSale = {
  id: 244_212_480_008_192,
  amount: 49.9,
  cost: 12.5,
  currency: 'EUR',
  ...mapTextFields<string | null>(() => null),
  ...{ customer: 'Example Ltd', category: 'Books' },
  soldAt: '2026-11-21T12:00:00.000Z',
  day: null,
  externalId: 'order-1001',
  refundedAt: null,
  createdAt: '2026-11-21T12:00:05.000Z',
  updatedAt: '2026-11-21T12:00:05.000Z',
  version: 1,
};

/** A sale, with its amounts in major units. */
export const Sale = z
  .object({
    id: z.int().positive(),
    amount: z.number().meta({ description: 'In major units of the currency.' }),
    cost: z.number().meta({ description: 'In major units of the currency.' }),
    currency: z.string(),
    ...mapTextFields(() => z.string().nullable()),
    soldAt: z.iso.datetime().meta({
      description: 'When it was sold; the start of `day` in UTC if only that is known.',
    }),
    day: z.iso.date().nullable().meta({
      description:
        'The day on which it was sold, if no time was given: show it as this day in every time zone.',
    }),
    externalId: z.string().nullable(),
    refundedAt: z.iso.datetime().nullable().meta({
      description:
        'When it was refunded in full; since then it counts in no total. `null`: it was not.',
    }),
    createdAt: z.iso.datetime().meta({ description: 'When it was recorded.' }),
    updatedAt: z.iso.datetime(),
    version: z.int().positive(),
  })
  .meta({ id: 'Sale', examples: [exampleSale] });

export const SalePage = Paginated(Sale).meta({
  id: 'SalePage',
  examples: [examplePage(exampleSale)],
});

/** Converts a sale to the API's response. */
export const toResponse = (sale: StoredSale): z.output<typeof Sale> => ({
  id: sale.id,
  amount: toMajor(sale.amount, sale.currency),
  cost: toMajor(sale.cost, sale.currency),
  currency: sale.currency,
  ...mapTextFields((field) => sale[field] ?? null),
  soldAt: sale.soldAt,
  day: sale.day ?? null,
  externalId: sale.externalId ?? null,
  refundedAt: sale.refundedAt ?? null,
  createdAt: sale.createdAt,
  updatedAt: sale.updatedAt,
  version: sale.version,
});
