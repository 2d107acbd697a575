import * as z from 'zod';
import { label, oneLine, optional } from '../../../shared/input/fields.ts';
import { type IsSame, recordChange } from '../../../shared/input/record-change.ts';
import { type ErrorDetail, invalidInput } from '../../../shared/runtime/errors.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { AmountError, toMinor } from './money.ts';
import type { SaleFields, StoredSale } from './sale.ts';
import { Sale, toResponse } from './schemas.ts';
import { agree, contradiction, SoldAt, SoldDay, toSold } from './sold-at.ts';
import {
  mapTextFields,
  maxExternalIdLength,
  pickTextFields,
  type StoredTexts,
  type TextField,
  textFieldNames,
  textFields,
} from './text-fields.ts';

const amount = z.union([z.number(), z.string().max(100)], {
  error: ({ input }) => (input === undefined ? 'is required' : 'must be a number such as 12.34'),
});

const inMajorUnits =
  'The price in major units, with no more decimals than the currency has. Send text if a number would not be exact.';

const texts = mapTextFields((field) => optional(oneLine(textFields[field])));

const details = {
  cost: optional(amount).meta({ description: 'What the sale cost you; the default is 0.' }),
  ...texts,
  category: texts.category.meta({
    description:
      'A category. The service keeps up to 100, including those no longer in use. Empty is none.',
  }),
};

/** The body of `POST /api/sales`; optional fields take null (decisions.md#bodies). */
export const CreateSaleInput = z
  .object({
    amount: amount.meta({ description: inMajorUnits }),
    ...details,
    currency: optional(oneLine(10)).meta({
      description: 'The currency of this service; no other is accepted.',
    }),
    soldAt: optional(SoldAt).meta({
      description:
        'When it was sold: a time, or a day, which is shown as that day everywhere. The default is now.',
    }),
    day: optional(SoldDay).meta({
      description:
        'The day on which it was sold, instead of `soldAt`. If both are sent, they must agree.',
    }),
    externalId: optional(label(maxExternalIdLength)).meta({
      description:
        'The id of the sale in another system. Sending it again records nothing and returns the sale in its current state. After a deletion it can be recorded again.',
    }),
  })
  .superRefine(({ currency, soldAt, day, ...amounts }, context) => {
    if (soldAt != null && day != null && !agree(soldAt, day)) {
      context.addIssue({ code: 'custom', path: ['day'], message: contradiction });
    }
    const serviceCurrency = getSetting('CURRENCY');
    if (currency != null && currency.toUpperCase() !== serviceCurrency) {
      const message = `must be ${serviceCurrency}, the currency of this service`;
      context.addIssue({ code: 'custom', path: ['currency'], message });
    }
    for (const field of ['amount', 'cost'] as const) {
      try {
        toMinor(amounts[field] ?? 0, serviceCurrency);
      } catch (error) {
        if (!(error instanceof AmountError)) throw error;
        context.addIssue({ code: 'custom', path: [field], message: error.message });
      }
    }
  })
  .meta({
    id: 'CreateSaleInput',
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

/** A sale to record, with amounts in minor units. */
export interface NewSale extends StoredTexts {
  readonly amount: number;
  readonly cost: number;
  readonly currency: string;
  /** ISO 8601, UTC with milliseconds; the default is now. */
  readonly soldAt?: string;
  readonly day?: string;
  readonly externalId?: string;
}

/** Converts the input to a new sale. */
export const toNewSale = (input: z.output<typeof CreateSaleInput>): NewSale => {
  const currency = getSetting('CURRENCY');
  const { externalId } = input;
  const sold = input.day ?? input.soldAt;
  return {
    amount: toMinor(input.amount, currency),
    cost: toMinor(input.cost ?? 0, currency),
    currency,
    ...pickTextFields((field) => input[field] || undefined),
    ...(sold != null && toSold(sold)),
    ...(externalId != null && { externalId }),
  };
};

const saleChange = recordChange(
  Sale,
  {
    amount: amount.optional().meta({ description: inMajorUnits }),
    ...details,
    soldAt: SoldAt.optional().meta({
      description: 'When it was sold. A time ends a `day`, a day becomes one.',
    }),
    day: optional(SoldDay).meta({
      description: 'The day on which it was sold; `null` makes it the start of the day in UTC.',
    }),
  },
  {
    elsewhere: {
      currency: 'cannot be changed',
      externalId: 'cannot be changed; delete the sale and create it again',
      refundedAt: 'is set by POST /api/sales/{id}/refund',
    },
  },
);

/** The body of `PUT /api/sales/{id}`: changes the fields that are sent; null clears an optional one. */
export const UpdateSaleInput = z.object(saleChange.shape).meta({
  id: 'UpdateSaleInput',
  examples: [{ amount: 44.9, category: 'Books', soldAt: '2026-11-20T12:00:00Z' }],
});

/** A time may be written in several ways. */
const isSame: IsSame = (field, sent, stored) =>
  field === 'soldAt' && String(sent).includes('T')
    ? Date.parse(String(sent)) === Date.parse(String(stored))
    : undefined;

/** Returns when a changed sale was made. A changed time ends a day that was not changed. */
const toSoldFields = (
  soldAt: string | undefined,
  day: string | null | undefined,
): Pick<SaleFields, 'soldAt' | 'day'> | undefined => {
  const text = day ?? soldAt;
  if (text === undefined) return day === null ? { day: undefined } : {};
  const sold = toSold(text);
  const isContradiction =
    day === null ? sold.day !== undefined : soldAt !== undefined && !agree(soldAt, text);
  return isContradiction ? undefined : { day: undefined, ...sold };
};

/** Returns the changed texts; `undefined` removes one. */
const toTextChanges = (changes: { readonly [Field in TextField]?: string | null | undefined }) =>
  Object.fromEntries(
    textFieldNames
      .filter((field) => changes[field] !== undefined)
      .map((field) => [field, changes[field] ?? undefined]),
  );

/**
 * Converts the body to the changes of a sale.
 * @throws AppError VALIDATION_ERROR for an amount, or a field that can't be changed
 */
export const toSaleFields = (
  sale: StoredSale,
  input: z.output<typeof UpdateSaleInput>,
): SaleFields => {
  const changes = saleChange.changes(input, toResponse(sale), isSame);
  const problems: ErrorDetail[] = [];
  const parseAmount = (field: 'amount' | 'cost', value: number | string): number => {
    try {
      return toMinor(value, sale.currency);
    } catch (error) {
      if (!(error instanceof AmountError)) throw error;
      problems.push({ field, message: error.message });
      return 0;
    }
  };
  const { amount: sum, cost, soldAt, day } = changes;
  const sold = toSoldFields(soldAt, day);
  if (sold === undefined) problems.push({ field: 'day', message: contradiction });
  const fields = {
    ...(sum !== undefined && { amount: parseAmount('amount', sum) }),
    ...(cost !== undefined && { cost: parseAmount('cost', cost ?? 0) }),
    ...toTextChanges(changes),
    ...sold,
  };
  if (problems.length > 0) throw invalidInput(problems);
  return fields;
};
