import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { claim, claimSubjectWrite, releaseClaim, settleClaim } from '../../../shared/db/claim.ts';
import { batchGet, documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { instead } from '../../support/service/interruption.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';

useTable();

let now = Date.UTC(2026, 10, 21, 12);
const key = { pk: 'CLAIM', sk: 'CLAIM' };
const anHour = 3_600;
const claimNow = (hash?: string) =>
  claim(key, {
    until: now + 1_000,
    ttl: now / 1_000 + anHour,
    ...(hash !== undefined && { hash }),
  });
const passTime = (ms: number) => {
  now += ms;
  vi.setSystemTime(now);
};
const create = (token: string, subject: string) =>
  transact([{ write: claimSubjectWrite(key, token, subject), refused: 'lost' }]);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(async () => {
  // Forgets the claim.
  passTime(anHour * 1_000);
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('claim', () => {
  it('gives a key to one of ten concurrent attempts', async () => {
    const states = (await Promise.all(Array.from({ length: 10 }, () => claimNow()))).map(
      ({ state }) => state,
    );
    expect(states.filter((state) => state === 'mine')).toHaveLength(1);
    expect(states.filter((state) => state === 'running')).toHaveLength(9);
  });

  it('returns the hash that the holder has stored', async () => {
    await claimNow('first');
    expect(await claimNow('second')).toMatchObject({ state: 'running', hash: 'first' });
  });

  it('recognizes its own claim after a lost response', async () => {
    instead(documentClient(), PutCommand, async (go) => {
      await go();
      return go();
    });
    expect(await claimNow()).toMatchObject({ state: 'mine' });
  });

  it('takes over once the holder must have died', async () => {
    const { token } = await claimNow();
    passTime(999);
    expect((await claimNow()).state).toBe('running');
    passTime(1);
    expect((await claimNow()).state).toBe('mine');
    expect(await create(token, 'thing:1')).toMatchObject({ by: 'lost' });
  });

  it('does not take over what has created something', async () => {
    const { token } = await claimNow();
    expect(await create(token, 'thing:1')).toBeUndefined();
    passTime(2_000);
    expect(await claimNow()).toMatchObject({ state: 'running', subject: 'thing:1', token });
  });

  it('takes over a forgotten claim that still exists', async () => {
    const { token } = await claimNow();
    await create(token, 'thing:1');
    await settleClaim(key, token, 'done');
    passTime(anHour * 1_000);
    const { subject, result, state } = await claimNow();
    expect([state, subject, result]).toEqual(['mine', undefined, undefined]);
    const [item] = await itemsOf('CLAIM');
    expect(item).not.toHaveProperty('result');
  });
});

describe('claimSubjectWrite', () => {
  it('is refused the second time', async () => {
    const { token } = await claimNow();
    await create(token, 'thing:1');
    expect(await create(token, 'thing:2')).toMatchObject({ by: 'lost' });
  });
});

describe('settleClaim', () => {
  it.each([undefined, 'the result'])(
    'keeps the claim for good with the result %s',
    async (result) => {
      const { token } = await claimNow();
      await settleClaim(key, token, result);
      passTime(2_000);
      const found = await claimNow();
      expect([found.state, found.result]).toEqual(['settled', result]);
    },
  );

  it('does nothing for a claim that another attempt has taken over', async () => {
    const { token } = await claimNow();
    passTime(2_000);
    await claimNow();
    await settleClaim(key, token, 'late');
    expect((await claimNow()).state).toBe('running');
  });
});

describe('releaseClaim', () => {
  it('lets the next attempt have the key, and refuses what this one still writes', async () => {
    const { token } = await claimNow();
    expect(await releaseClaim(key, token)).toBeUndefined();
    expect(await create(token, 'thing:1')).toMatchObject({ by: 'lost' });
    expect((await claimNow()).state).toBe('mine');
  });

  it('keeps a claim that has created something, or is of another attempt', async () => {
    const { token } = await claimNow();
    passTime(2_000);
    const next = await claimNow();
    expect(await releaseClaim(key, token)).toMatchObject({ token: next.token });
    await create(next.token, 'thing:1');
    expect(await releaseClaim(key, next.token)).toMatchObject({ subject: 'thing:1' });
  });
});

describe('batchGet', () => {
  const keyAt = (at: number) => ({ pk: 'LIST', sk: String(at).padStart(3, '0') });

  beforeAll(async () => {
    for (let from = 0; from < 150; from += 25) {
      const requests = Array.from({ length: 25 }, (_, at) => ({
        PutRequest: { Item: { ...keyAt(from + at), at: from + at } },
      }));
      await documentClient().send(
        new BatchWriteCommand({ RequestItems: { [tableName()]: requests } }),
      );
    }
  });

  const read = async (numbers: readonly number[]) =>
    (await batchGet(numbers.map(keyAt))).map((item) => item?.['at']);

  it('returns items in the requested order, and undefined for missing ones', async () => {
    expect(await read([7, 999, 3, 149])).toEqual([7, undefined, 3, 149]);
    expect(await read([])).toEqual([]);
  });

  it('accepts more keys than a batch', async () => {
    const numbers = Array.from({ length: 150 }, (_, at) => 149 - at);
    expect(await read(numbers)).toEqual(numbers);
  });

  it('returns an item for each duplicate key', async () => {
    expect(await read([5, 6, 5, 5])).toEqual([5, 6, 5, 5]);
  });
});
