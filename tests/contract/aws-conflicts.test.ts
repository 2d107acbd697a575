import { describe, expect, it, vi } from 'vitest';
import { failConditions, useMockedService } from '../support/aws/mocked-service.ts';
import { useVirtualTime } from '../support/run/virtual-time.ts';
import { allTypicalCalls } from '../support/service/all-sample-requests.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-10T12:00:00Z');
const { watch, clear } = useMockedService();
const calls = await allTypicalCalls();

const modified = (what: string) => `The ${what} is being modified. Try again.`;

/** For each call: the write that meets a concurrent change, the attempts, and the message after the last. */
const conflicts: readonly (readonly [call: string, write: RegExp, attempts: number, string])[] = [
  ['POST /api/documents', /^Put DOCUMENT#\S+ DOCUMENT$/, 8, modified('document')],
  ['PUT /api/documents/{id}', /^Put DOCUMENT#\S+ DOCUMENT$/, 8, modified('document')],
  ['DELETE /api/documents/{id}', /^Put DOCUMENT#\S+ DOCUMENT$/, 8, modified('document')],
  ['POST /api/documents/{id}/share', /^Put DOCUMENT#\S+ DOCUMENT$/, 8, modified('document')],
  ['POST /api/files/upload', /^Put FILE#\S+ FILE$/, 8, modified('file')],
  ['PUT /api/files/{id}', /^Put FILE#\S+ FILE$/, 8, modified('file')],
  ['DELETE /api/files/{id}', /^Put FILE#\S+ FILE$/, 8, modified('file')],
  ['POST /api/files/{id}/share', /^Put FILE#\S+ FILE$/, 8, modified('file')],
  ['POST /api/calendar/events', /^Put EVENT#\S+ EVENT$/, 8, modified('event')],
  ['PUT /api/calendar/events/{id}', /^Put EVENT#\S+ EVENT$/, 8, modified('event')],
  ['DELETE /api/calendar/events/{id}', /^Delete EVENT#\S+ EVENT$/, 8, modified('event')],
  ['PUT /api/calendar/events/{id}/attendance', /^Update EVENT#/, 8, modified('event')],
  ['POST /api/messages', /^Put MESSAGE#\S+ MESSAGE$/, 8, modified('mailbox')],
  ['PUT /api/messages/{id}/read', /^Delete USER#\S+ UNREAD#/, 8, modified('mailbox')],
  ['DELETE /api/messages/{id}', /^Delete USER#\S+ UNREAD#/, 8, modified('mailbox')],
  ['PUT /api/notifications/{id}/read', / UPDATES#COUNTERS$/, 8, modified('notification')],
  ['DELETE /api/notifications/{id}', / UPDATES#COUNTERS$/, 8, modified('notification')],
  ['POST /api/sales', /^Put SALE#\d+ SALE$/, 8, 'The sale could not be saved. Try again.'],
  ['PUT /api/sales/{id}', /^Put SALE#\d+ SALE$/, 8, modified('sale')],
];

describe('a concurrent change', () => {
  it.each(conflicts)('is retried by %s', async (call, write, attempts, message) => {
    const send = async (fail: Parameters<typeof watch>[1]) => {
      clear();
      const { result, sent } = await watch(await (calls[call] ?? expect.unreachable())(), fail);
      const transactions = sent.filter(({ name }) => name === 'TransactWrite').length;
      return { ...result, transactions };
    };
    const usual = await send(undefined);
    const once = await send(failConditions(write, { times: 1 }));
    expect([once.status, once.transactions]).toEqual([usual.status, usual.transactions + 1]);
    const always = await send(failConditions(write));
    expect([always.status, always.transactions, always.body.error.message]).toEqual([
      503,
      usual.transactions - 1 + attempts,
      message,
    ]);
  });
});
