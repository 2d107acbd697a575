import { AppError } from '../../shared/errors.ts';

/** A sale as the table keeps it, without its keys. It never changes. */
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
  readonly createdAt: string;
}

export const notFound = () => new AppError('NOT_FOUND', 'There is no such sale');

/** A sale as an item of the table holds it. */
export const toSale = (item: Record<string, unknown>): StoredSale => {
  const { pk, sk, gsi1pk, gsi1sk, ...sale } = item;
  return sale as unknown as StoredSale;
};
