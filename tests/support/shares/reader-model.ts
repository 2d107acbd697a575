import { expect } from 'vitest';
import type { Person } from '../users/test-users.ts';
import { isListedFor, type Reader, readers } from './audience-model.ts';
import type { Model, ModelShare } from './model.ts';
import { statusOf } from './model.ts';
import { receivedOf } from './received.ts';
import { sharesOf } from './requests.ts';

/** What the model of readers needs of the model of shares. */
interface ModelOfShares {
  readonly model: () => Model;
  readonly people: Readonly<Record<Reader, Person>>;
  readonly token: () => string;
  /** Returns how often a reader opened a share while it was not open to all. */
  readonly timesOpened: (id: string, reader: Reader) => number;
}

const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).toSorted();

/** Creates the model of what readers have in their lists, and of what owners know of them. */
export const newReaderModel = ({ model, people, token, timesOpened }: ModelOfShares) => {
  /** Compares the lists of the readers with the model, once all jobs are done. */
  const checkReceived = async (): Promise<void> => {
    const { shares, isSuspended } = model();
    const isInLists = (share: ModelShare) =>
      !share.isTombstone && ['active', 'ended'].includes(statusOf(share, model(), Date.now()));
    for (const reader of readers) {
      const { body } = await receivedOf(people[reader]).received({ pageSize: '100' });
      const expected = shares.filter((share) => isListedFor(share, reader) && isInLists(share));
      expect(idsOf(body.items)).toEqual(isSuspended ? [] : idsOf(expected));
    }
  };

  /** Compares the receipts of a share with the model. */
  const checkReceipts = async (id: string): Promise<void> => {
    const { status, body } = await sharesOf({ token: token() }).receipts(id);
    if (status !== 200) return expect([401, 404]).toContain(status);
    const opened = body.readers.map((one: { id: number; times: number }) => [one.id, one.times]);
    const times = new Map<number, number>(opened);
    for (const reader of readers) {
      expect(times.get(people[reader].id) ?? 0).toBe(timesOpened(id, reader));
    }
  };

  return { checkReceived, checkReceipts };
};
