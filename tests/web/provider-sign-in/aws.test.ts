import { expect, it, vi } from 'vitest';
import { passingErrors, secretWords } from '../../support/aws/errors.ts';
import { type Sent, useMockedService } from '../../support/aws/mocked-service.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { providerSignInCalls } from '../../support/sample-requests/provider-sign-in.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-10T12:00:00Z');
const service = useMockedService();

const callbacks = Object.entries(providerSignInCalls).filter(([name]) => name.includes('callback'));
const [, busy] = passingErrors()[0] ?? expect.unreachable();

/** A job is saved for later or may be lost, and a limiter that fails lets requests through. */
const isOptional = ({ name, input }: Sent): boolean =>
  name.startsWith('SendMessage') || String(input.Key?.pk).startsWith('LIMIT#');

it.each(callbacks)('%s says that it failed if a command does', async (_name, prepare) => {
  const { result, sent } = await service.watch(await prepare());
  expect(result.status).toBe(200);
  expect(sent.length).toBeGreaterThan(2);
  const statuses: number[] = [];
  for (const n of sent.keys()) {
    pass(60 * 60_000);
    // The issuer takes a code once, so each attempt is another sign-in.
    const act = await prepare();
    let count = 0;
    const failed = await service.watch(act, () => (count++ === n ? busy : undefined));
    statuses.push(failed.result.status);
    expect(secretWords.filter((word) => JSON.stringify(failed.result).includes(word))).toEqual([]);
  }
  expect(statuses).toEqual(sent.map((one) => (isOptional(one) ? 200 : 503)));
});
