import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../functions/web/browser/client/client.ts';
import { createPatientClient } from '../../../infra/cli/source/archives/import/patient-client.ts';
import { createPresent } from '../../../infra/cli/source/archives/import/present.ts';
import {
  listPresentShares,
  takeEnded,
} from '../../../infra/cli/source/archives/import/present-shares.ts';

const list = async function* <Item>(items: readonly Item[]) {
  yield* items;
};

describe('what the service has', () => {
  it('stands for one record of the archive each, and is read only if it may be one', async () => {
    const read: number[] = [];
    const items = [
      { id: 1, title: 'A', content: 'x' },
      { id: 2, title: 'A', content: 'y' },
      { id: 3, title: 'A', content: 'x' },
      { id: 4, title: 'B', content: 'x' },
    ];
    const present = await createPresent(
      list(items),
      ({ title }) => title,
      async ({ id, content }) => {
        read.push(id);
        return content;
      },
    );
    expect((await present.take('A', 'y'))?.id).toBe(2);
    expect((await present.take('A', 'x'))?.id).toBe(1);
    expect((await present.take('A', 'x'))?.id).toBe(3);
    expect(await present.take('A', 'x')).toBeUndefined();
    expect(await present.take('C', 'x')).toBeUndefined();
    expect(read).toEqual([1, 2, 3]);
  });
});

describe('the shares that have ended', () => {
  const share = (id: string, fields: object) => ({
    ...{ id, language: 'markdown', title: null, titleIsGiven: false, status: 'ended' },
    ...{ viewLimit: null, expiresAt: null, ...fields },
  });

  it('are known without content: by a given title, or else by expiration and view limit', async () => {
    const ended = [
      share('titled', { title: 'Plan', titleIsGiven: true }),
      share('limited', { viewLimit: 3 }),
      share('down', { status: 'taken-down', expiresAt: '2027-01-01T00:00:00.000Z' }),
    ];
    const gone = new ApiError(404, 'Share not found.', { code: 'NOT_FOUND' });
    const client = { items: () => list(ended), call: () => Promise.reject(gone) };
    const present = await listPresentShares(client as unknown as Client);
    const take = (fields: object) => takeEnded(present, share('archived', fields), 'content');
    expect(await take({ title: 'Other', titleIsGiven: true })).toBe(false);
    expect(await take({ title: 'From the text' })).toBe(false);
    expect(await take({ title: 'Plan', titleIsGiven: true })).toBe(true);
    expect(await take({ title: 'Plan', titleIsGiven: true })).toBe(false);
    expect(await take({ title: 'From the text', viewLimit: 5, viewsLeft: 3 })).toBe(true);
    expect(await take({ title: 'Down', expiresAt: '2027-01-01T00:00:00.000Z' })).toBe(true);
  });
});

describe('the client of an import', () => {
  const refuse = (status: number, retryAfterMs?: number) =>
    new ApiError(status, 'Not now.', { code: 'REFUSED', retryAfterMs });
  const connect = (...refusals: readonly ApiError[]) => {
    const call = vi.fn(async (..._: unknown[]) => 'done' as unknown);
    for (const refusal of refusals) call.mockRejectedValueOnce(refusal);
    return { call, client: createPatientClient({ call } as unknown as Client) };
  };

  it('waits as often as the service asks it to', async () => {
    const { call, client } = connect(...Array.from({ length: 20 }, () => refuse(429, 1)));
    expect(await client.call('GET /api/auth/me')).toBe('done');
    expect(call).toHaveBeenCalledTimes(21);
  });

  it.each([[refuse(429)], [refuse(400, 1)], [refuse(503)]])(
    'doesn’t wait after %s',
    async (refusal) => {
      const { call, client } = connect(refusal);
      await expect(client.call('GET /api/auth/me')).rejects.toBe(refusal);
      expect(call).toHaveBeenCalledTimes(1);
    },
  );
});
