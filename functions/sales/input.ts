import * as z from 'zod';
import { plainText } from '../../shared/plain-text.ts';
import { setting } from '../../shared/settings.ts';
import { AmountError, toMinor } from './money.ts';

/** A clock that is ahead, and a day that has begun elsewhere, aren't the future. */
const leewayMs = 86_400_000;

const label = (max: number) =>
  plainText(z.string().trim().max(max, `must have at most ${max} characters`));

const amount = z.union([z.number(), z.string().max(100)], {
  error: ({ input }) => (input === undefined ? 'is required' : 'must be a number such as 12.34'),
});

const isPast = (at: string): boolean => Date.parse(at) <= Date.now() + leewayMs;

/** Keys sort by it as text: all years have four digits, also of the day after. */
const isInRange = (at: string): boolean =>
  Date.parse(at) >= 0 && Date.parse(at) < Date.UTC(9999, 0, 1);

/** An ISO 8601 day or time, as a time of UTC; a day is its midnight. */
export const PointInTime = z
  .union(
    [z.iso.datetime({ offset: true }), z.iso.date()],
    'must be a time such as 2026-11-21T12:00:00Z, or a day such as 2026-11-21',
  )
  .refine(isInRange, { message: 'must be from 1970 to 9998', abort: true });

/** The body of `POST /api/sales` (decisions §5); optional fields take null. */
export const SaleInput = z
  .object({
    amount: amount.meta({
      description:
        'In major units, with no more decimals than the currency has; as text where a number would not be exact',
    }),
    cost: amount.nullish().meta({ description: 'What the sale cost itself; 0 without it' }),
    currency: z
      .string()
      .max(10)
      .nullish()
      .meta({ description: 'No other than the one of this service' }),
    customer: label(200).nullish(),
    category: label(50).nullish().meta({ description: 'At most 100 different ones; empty: none' }),
    soldAt: PointInTime.refine(isPast, 'must not be in the future')
      .nullish()
      .meta({ description: 'Now without it' }),
    externalId: label(200).min(1, 'must not be empty').nullish().meta({
      description:
        'What another system calls it: the same sale sent again is answered as the first time, and counted once',
    }),
  })
  .superRefine(({ currency, ...amounts }, check) => {
    const ours = setting('CURRENCY');
    if (currency != null && currency.toUpperCase() !== ours) {
      const message = `must be ${ours}: this service has one currency`;
      check.addIssue({ code: 'custom', path: ['currency'], message });
    }
    for (const field of ['amount', 'cost'] as const) {
      try {
        toMinor(amounts[field] ?? 0, ours);
      } catch (error) {
        if (!(error instanceof AmountError)) throw error;
        check.addIssue({ code: 'custom', path: [field], message: error.message });
      }
    }
  })
  .meta({
    id: 'SaleInput',
    examples: [
      {
        amount: 49.9,
        cost: '12.50',
        customer: 'Example Ltd',
        category: 'Books',
        soldAt: '2026-11-21T12:00:00Z',
        externalId: 'order-1001',
      },
    ],
  });

/** A sale to be recorded, in minor units; what is absent has no value. */
export interface NewSale {
  readonly amount: number;
  readonly cost: number;
  readonly currency: string;
  readonly customer?: string;
  readonly category?: string;
  /** ISO 8601, UTC with milliseconds; now where it is absent. */
  readonly soldAt?: string;
  readonly externalId?: string;
}

/** The input as the domain takes it. */
export const toNewSale = (input: z.output<typeof SaleInput>): NewSale => {
  const currency = setting('CURRENCY');
  const { customer, category, soldAt, externalId } = input;
  return {
    amount: toMinor(input.amount, currency),
    cost: toMinor(input.cost ?? 0, currency),
    currency,
    ...(customer && { customer }),
    ...(category && { category }),
    ...(soldAt != null && { soldAt: new Date(soldAt).toISOString() }),
    ...(externalId != null && { externalId }),
  };
};
