import { describe, expect, it } from 'vitest';
import { createClient } from '../../../functions/web/browser/client/client.ts';
import { runForEach } from '../../../functions/web/browser/data/bulk.ts';
import { failure, fakeFetch, ok } from '../../support/client/fake-fetch.ts';

const details = [{ field: 'code', message: 'is required' }];
const unproven = () =>
  failure(403, { code: 'REAUTHENTICATION_REQUIRED', message: 'Prove it.', details });

/** A service that refuses changes until a proof, and a client that asks for one. */
const start = (answer: boolean | undefined) => {
  let isProven = false;
  const asked: unknown[] = [];
  const { fetch, sent } = fakeFetch(() => (isProven ? ok({ id: 7 }) : unproven()));
  const client = createClient({
    fetch,
    onUnproven: async (error) => {
      asked.push(error.details);
      await Promise.resolve();
      isProven = answer !== false;
      return answer;
    },
  });
  const change = (id: number) =>
    client.call('PUT /api/documents/{id}', { params: { id }, body: { title: 'B' } });
  return { asked, sent, change };
};

describe('a call that is refused until its user proves who they are', () => {
  it('asks once for concurrent calls, and is then repeated as it was', async () => {
    const { asked, sent, change } = start(undefined);
    expect(await Promise.all([change(1), change(2), change(3)])).toHaveLength(3);
    expect(asked).toEqual([details]);
    expect(sent).toHaveLength(6);
    const bodies = sent.map(({ init }) => init?.body);
    expect(new Set(bodies)).toEqual(new Set([JSON.stringify({ title: 'B' })]));
  });

  it('fails in words for the user if they don’t, and asks again with the next call', async () => {
    const { asked, sent, change } = start(false);
    const refused = {
      status: 403,
      code: 'REAUTHENTICATION_REQUIRED',
      message: 'You didn’t confirm that it’s you, so nothing was changed.',
      details: [],
    };
    await expect(change(1)).rejects.toMatchObject(refused);
    await expect(change(1)).rejects.toMatchObject(refused);
    expect(asked).toHaveLength(2);
    expect(sent).toHaveLength(2);
  });

  it('fails as the service says without anyone to ask, or where the proof is not enough', async () => {
    const { fetch, sent } = fakeFetch(unproven);
    const refused = { message: 'Prove it.', details };
    const params = { id: 7 };
    const alone = createClient({ fetch });
    await expect(alone.call('DELETE /api/documents/{id}', { params })).rejects.toMatchObject(
      refused,
    );
    const asking = createClient({ fetch, onUnproven: () => true });
    await expect(asking.call('DELETE /api/documents/{id}', { params })).rejects.toMatchObject(
      refused,
    );
    expect(sent).toHaveLength(3);
  });

  it('ends a change of many where the user doesn’t prove it', async () => {
    const { asked, change } = start(false);
    const items = Array.from({ length: 20 }, (_, at) => at);
    const { done, failed, left } = await runForEach(items, change);
    expect([done.length, failed.length, left.length]).toEqual([0, 20, 0]);
    expect(asked).toHaveLength(1);
  });
});
