import { type Item, itemParser } from '../../../shared/db/item-parser.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import type { StoredTexts, TextField } from './text-fields.ts';

/** A sale as it is stored, without its keys. */
export interface StoredSale extends StoredTexts {
  readonly id: number;
  /** In minor units of the currency, such as cents. */
  readonly amount: number;
  /** What the sale cost the seller, in minor units. */
  readonly cost: number;
  readonly currency: string;
  /** ISO 8601, UTC with milliseconds. */
  readonly soldAt: string;
  /** The day on which it was sold, such as `2026-11-01`, if no time is known: `soldAt` is its start in UTC. */
  readonly day?: string;
  /** The id in another system; unique. */
  readonly externalId?: string;
  /** When it was refunded in full (ISO 8601). A refunded sale counts in no total. */
  readonly refundedAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** Changes of a sale; `undefined` removes a field. */
export type SaleFields = {
  readonly [Field in 'amount' | 'cost' | TextField | 'soldAt' | 'day']?:
    | StoredSale[Field]
    | undefined;
};

export const notFoundError = () => new AppError('NOT_FOUND', 'Sale not found.');

const parseSale = itemParser<StoredSale>('sale', ['id', 'amount', 'currency', 'soldAt']);

/** Converts a stored item to a sale, without keys. */
export const toSale = (item: Item): StoredSale => {
  const { pk, sk, gsi1pk, gsi1sk, ...sale } = item;
  return parseSale(sale);
};
