// Whether each kind of record can be changed although it changes concurrently. `aws.test.ts` has all other conditions.
import { describe, expect, it, vi } from 'vitest';
import { failConditions, useMockedService } from '../support/aws/mocked-service.ts';
import { useVirtualTime } from '../support/run/virtual-time.ts';
import { allTypicalCalls } from '../support/service/all-sample-requests.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-10T12:00:00Z');
const { watch, keep } = useMockedService();
const calls = await allTypicalCalls();

const modified = (what: string) => `The ${what} is being modified. Try again.`;

/** For each call: the write that meets a concurrent change, and the message if it meets one again and again. */
const conflicts: readonly (readonly [call: string, write: RegExp, string])[] = [
  ['POST /api/documents', /^Put DOCUMENT#\S+ DOCUMENT$/, modified('document')],
  ['PUT /api/documents/{id}', /^Put DOCUMENT#\S+ DOCUMENT$/, modified('document')],
  ['DELETE /api/documents/{id}', /^Put DOCUMENT#\S+ DOCUMENT$/, modified('document')],
  ['POST /api/documents/{id}/share', /^Put DOCUMENT#\S+ DOCUMENT$/, modified('document')],
  ['POST /api/files/upload', /^Put FILE#\S+ FILE$/, modified('file')],
  ['PUT /api/files/{id}', /^Put FILE#\S+ FILE$/, modified('file')],
  ['DELETE /api/files/{id}', /^Put FILE#\S+ FILE$/, modified('file')],
  ['POST /api/files/{id}/share', /^Put FILE#\S+ FILE$/, modified('file')],
  ['POST /api/calendar/events', /^Put EVENT#\S+ EVENT$/, modified('event')],
  ['PUT /api/calendar/events/{id}', /^Put EVENT#\S+ EVENT$/, modified('event')],
  ['DELETE /api/calendar/events/{id}', /^Delete EVENT#\S+ EVENT$/, modified('event')],
  ['PUT /api/calendar/events/{id}/attendance', /^Update EVENT#/, modified('event')],
  ['POST /api/messages', /^Put MESSAGE#\S+ MESSAGE$/, modified('mailbox')],
  ['PUT /api/messages/{id}/read', /^Delete USER#\S+ UNREAD#/, modified('mailbox')],
  ['DELETE /api/messages/{id}', /^Delete USER#\S+ UNREAD#/, modified('mailbox')],
  ['PUT /api/notifications/{id}/read', / UPDATES#COUNTERS$/, modified('notification')],
  ['DELETE /api/notifications/{id}', / UPDATES#COUNTERS$/, modified('notification')],
  ['POST /api/sales', /^Put SALE#\d+ SALE$/, 'The sale could not be saved. Try again.'],
  ['PUT /api/sales/{id}', /^Put SALE#\d+ SALE$/, modified('sale')],
  ['PUT /api/share/{id}', /^(Update|Delete) SHARE#\S+ SHARE$/, modified('share')],
  ['DELETE /api/share/{id}', /^(Update|Delete) SHARE#\S+ SHARE$/, modified('share')],
  ['PUT /api/shares/{id}/decision', /^Update SHARE#\S+ SHARE$/, modified('share')],
  ['PUT /api/users/{id}', /^Update USER#\d+ USER$/, modified('user')],
  ['POST /api/auth/reset-password', /^Update USER#\d+ USER$/, modified('account')],
  ['POST /api/auth/login', /^Update USER#\d+ USER$/, modified('account')],
];

describe('a concurrent change', () => {
  it.each(conflicts)('is retried by %s, but not forever', async (call, write, message) => {
    const act = await (calls[call] ?? expect.unreachable())();
    const restore = keep();
    const send = async (fail: Parameters<typeof watch>[1]) => {
      restore();
      return (await watch(act, fail)).result;
    };
    const usual = await send(undefined);
    expect((await send(failConditions(write, { times: 1 }))).status).toBe(usual.status);
    const always = await send(failConditions(write));
    expect([always.status, always.headers['retry-after'], always.body.error.message]).toEqual([
      503,
      '1',
      message,
    ]);
  });
});
