import { describe, expect, it, vi } from 'vitest';
import { canceled, passingErrors } from '../../support/aws/errors.ts';
import { failConditions, type Sent, useMockedService } from '../../support/aws/mocked-service.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');
const service = useMockedService();
const { watch } = service;

const { ann, bob } = useNewPeople({ ann: 'super_admin', bob: 'super_admin' });

const send = () =>
  call('POST /api/messages', { token: bob.token, body: { to: [ann.id], content: 'At noon?' } });
/** Sends a message while something else changes, which leaves it with its recipient. */
const leave = () => watch(send, failConditions(/^Put MESSAGE#/, { times: 1 }));
const look = () => call('GET /api/messages/unread-count', { token: ann.token });

describe('POST /api/messages', () => {
  it('sends the message if the queue is unavailable', async () => {
    const { result } = await watch(send, ({ name }) =>
      name === 'SendMessage' ? new Error('Away') : undefined,
    );
    expect(result.status).toBe(201);
    expect((await look()).body.data.count).toBe(1);
  });

  it('enqueues nothing if the message can’t be stored', async () => {
    const { result, sent } = await watch(send, ({ name }) =>
      name === 'TransactWrite' ? passingErrors()[0]?.[1] : undefined,
    );
    expect(result.status).toBe(503);
    expect(sent.filter(({ name }) => name === 'SendMessage')).toEqual([]);
  });
});

describe('a message to busy recipients', () => {
  /** Cancels each transaction that has a copy of the recipient, because of others; the client sent it so many times. */
  const busy = (attempts: number) => (one: Sent) => {
    const writes: { Put?: { Item: { sk: string } } }[] = one.input.TransactItems ?? [];
    if (!writes.some(({ Put }) => Put?.Item.sk.startsWith('UNREAD#'))) return undefined;
    const error = canceled(...writes.map(() => 'TransactionConflict'));
    Object.assign(error.$metadata, { attempts });
    return error;
  };

  it('is left with them after the second conflict', async () => {
    const { result } = await watch(send, busy(1));
    expect(result.status).toBe(201);
    expect((await look()).body.data.count).toBe(1);
  });

  it('is not sent again while it may still arrive', async () => {
    expect((await watch(send, busy(2))).result.status).toBe(503);
    expect((await look()).body.data.count).toBe(0);
  });
});

describe('a pending message', () => {
  it('is skipped if it was delivered concurrently', async () => {
    await leave();
    const delivered = failConditions(/^Delete USER#\d+ UPDATES#DELIVERY#/);
    expect((await watch(look, delivered)).result.status).toBe(200);
  });

  it('is retried after other concurrent writes', async () => {
    await leave();
    const changed = failConditions(/^Put USER#\d+ COPY#\d+#LATEST/, { times: 2 });
    const { result } = await watch(look, changed);
    expect([result.status, result.body.data.count]).toEqual([200, 1]);
  });

  it('returns 503 if deliveries take longer than 5 s', async () => {
    for (let count = 0; count < 4; count++) await leave();
    const { result } = await watch(look, ({ name }) => {
      if (name === 'TransactWrite') vi.setSystemTime(Date.now() + 2_000);
      return undefined;
    });
    expect([result.status, result.headers['retry-after'], result.body.error.message]).toEqual([
      503,
      '1',
      'Deliveries are in progress. Try again.',
    ]);
    expect((await look()).body.data.count).toBe(4);
  });

  it('limits the number of queries', async () => {
    await leave();
    const delivery = service.items.find(({ sk }) => String(sk).startsWith('UPDATES#DELIVERY#'));
    // None of them is of a stored message.
    service.respond('Query', () => ({ Items: Array(25).fill({ ...delivery, id: 1 }) }));
    const { result, sent } = await watch(look);
    const queries = sent.filter(({ name }) => name === 'Query');
    expect(result.status).toBe(503);
    expect(queries.length).toBeLessThan(100);
  });
});
