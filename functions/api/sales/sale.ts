import { AppError } from '../../../shared/runtime/errors.ts';

/** A sale as the table keeps it, without its keys. */
export interface StoredSale {
  readonly id: number;
  /** In minor units of the currency, such as cents. */
  readonly amount: number;
  /** What the sale itself cost, in minor units. */
  readonly cost: number;
  readonly currency: string;
  readonly customer?: string;
  readonly category?: string;
  /** ISO 8601, UTC with milliseconds. */
  readonly soldAt: string;
  /** What another system calls it; at most one sale has it. */
  readonly externalId?: string;
  /** Since when its money has been given back in full; no sum counts it then. */
  readonly refundedAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** Fields of a sale that are to be others; `undefined` takes one away. */
export type SaleFields = {
  readonly [Field in 'amount' | 'cost' | 'customer' | 'category' | 'soldAt']?:
    | StoredSale[Field]
    | undefined;
};

export const notFound = () => new AppError('NOT_FOUND', 'Sale not found.');

/** A sale as an item of the table holds it. */
export const toSale = (item: Record<string, unknown>): StoredSale => {
  const { pk, sk, gsi1pk, gsi1sk, ...sale } = item;
  return sale as unknown as StoredSale;
};
