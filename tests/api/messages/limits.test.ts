import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { getLogger, getMetrics } from '../../../shared/runtime/telemetry.ts';
import { listed, newReader, newReaders, newWriter } from '../../support/messages/messages.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { statusesOf, times, useLimitedService } from '../../support/service/limited-service.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useTable();
useJobs();
const { start, send } = useLimitedService();

const minuteMs = 60_000;

const write = ({ token }: Person, ...recipients: readonly Person[]) =>
  send('POST /api/messages', {
    token,
    body: { content: 'Hello', recipients: recipients.map(({ id }) => id) },
  });

describe('POST /api/messages', () => {
  it('accepts 60 messages in ten minutes per sender', async () => {
    const [ann, cid] = [await newWriter(), await newWriter()];
    const readers = await newReaders(3);
    const attempts = await statusesOf(61, (at) => write(ann, readers[at % 3] ?? ann));
    expect(attempts).toEqual([...times(60, 201), 429]);
    expect((await write(cid, ...readers)).status).toBe(201);
    vi.setSystemTime(start + minuteMs);
    expect((await write(ann, ann)).headers).toMatchObject({
      'ratelimit-policy': '"message";q=60;w=600',
      ratelimit: '"message";r=5;t=10',
    });
  });

  it('accepts 30 messages per hour to one recipient and names the recipient in the error', async () => {
    const [ann, cid] = [await newWriter(), await newWriter()];
    const [bob, dan] = await newReaders(2);
    if (!bob || !dan) throw new Error('Two were made');
    expect(await statusesOf(30, () => write(ann, bob))).toEqual(times(30, 201));
    const refused = await write(ann, dan, bob);
    const message = `received too many messages from you: ${bob.id}`;
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      429,
      errorBody('RATE_LIMITED', `Too many messages to: ${bob.id}. Try again later.`, [
        { field: 'recipients', message },
      ]),
    ]);
    expect(refused.headers['retry-after']).toBe('120');
    expect(await listed(dan)).toEqual({ ids: [], total: 0 });
    expect((await write(cid, bob)).status).toBe(201);
    vi.setSystemTime(start + 2 * minuteMs);
    expect(await statusesOf(2, () => write(ann, bob))).toEqual([201, 429]);
    // Rejected requests do not count: all 30 are left.
    vi.setSystemTime(start + 12 * minuteMs);
    expect(await statusesOf(30, () => write(ann, dan))).toEqual(times(30, 201));
    expect((await write(ann, dan)).status).toBe(429);
    expect((await listed(bob)).total).toBe(32);
  });

  it('applies no recipient limit to messages to the sender', async () => {
    const ann = await newWriter();
    expect(await statusesOf(31, () => write(ann, ann))).toEqual(times(31, 201));
  });

  it('sends messages if the limiter fails and counts the failure', async () => {
    const [ann, bob] = [await newWriter(), await newReader()];
    const client = documentClient();
    const real = client.send.bind(client) as (command: unknown) => Promise<unknown>;
    vi.spyOn(client, 'send').mockImplementation(((command: unknown) =>
      command instanceof UpdateCommand
        ? Promise.reject(Object.assign(new Error('Away'), { name: 'TimeoutError' }))
        : real(command)) as never);
    const failed = vi.spyOn(getLogger(), 'error').mockImplementation(() => undefined);
    const counted = vi.spyOn(getMetrics(), 'addMetric').mockImplementation(() => getMetrics());
    expect((await write(ann, bob)).status).toBe(201);
    // One failure is of the sender's limit, one of the recipient's.
    expect(failed.mock.calls.map(([text]) => text)).toEqual(
      times(2, 0).map(() => 'Rate limiter failed'),
    );
    expect(counted).toHaveBeenCalledWith('RateLimiterFailures', 'Count', 1);
  });
});
