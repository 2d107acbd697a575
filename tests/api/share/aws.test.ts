import { randomBytes } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { purgeEndedShare } from '../../../functions/api/share/ending/expiry.ts';
import { accessDenied, conditionFailed, passingErrors } from '../../support/aws/errors.ts';
import { failConditions, type Sent, useMockedService } from '../../support/aws/mocked-service.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { report, sharesOf } from '../../support/shares/requests.ts';
import { frame, open, page, raw, view } from '../../support/shares/shares.ts';
import { newPerson, newUserOf } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');
const service = useMockedService();
const { watch } = service;
const [[, busy] = []] = passingErrors();

const { ann } = useNewPeople({ ann: newPerson });
const shares = sharesOf(ann);

type Access = Record<string, unknown> & { readonly pk: string; readonly sk: string };

/** Returns the item that each view writes. */
const accessItem = (): Access => service.items.find((item) => 'recentViewIds' in item) as Access;
const changeAccess = (fields: Record<string, unknown>): void =>
  service.items.change(accessItem().pk, accessItem().sk, fields);
const isViewWrite = ({ name, input }: Sent): boolean =>
  name === 'Update' && input.Key.sk === accessItem().sk;
const viewWrites = (sent: readonly Sent[]) =>
  sent.filter(isViewWrite).map(({ input }) => input.ExpressionAttributeValues);
/** Fails the condition of each view: it meets the access item with these fields. */
const meet = (fields: (values: Record<string, unknown>) => object) => (one: Sent) =>
  isViewWrite(one)
    ? conditionFailed({ ...accessItem(), ...fields(one.input.ExpressionAttributeValues) })
    : undefined;

describe('a view', () => {
  it.each([0, 20, 39])('is recognized after a lost response and %i newer views', async (at) => {
    const id = await shares.newShare({ viewLimit: 50 });
    changeAccess({ views: 49 });
    const { result } = await watch(
      () => view(id),
      meet(({ ':viewId': viewId }) => ({
        views: 50,
        recentViewIds: Array(40).fill('another1').with(at, viewId),
      })),
    );
    expect([result.status, result.body.views]).toEqual([200, 50]);
  });

  it.each([0, 6])('is recognized by the alias %i of its form', async (at) => {
    const id = await shares.newShare({ viewLimit: 3 });
    const { result } = await watch(
      () => open(id, { claim: 'a-nonce' }),
      meet((values) => ({ recentViewIds: [values[`:alias${at}`]] })),
    );
    expect(result.status).toBe(303);
  });

  it('keeps its id as the last view, and schedules the purge', async () => {
    const id = await shares.newShare({ viewLimit: 3 });
    changeAccess({ views: 1 });
    let count = 0;
    const second = meet(() => ({ views: 2 }));
    const { result, sent } = await watch(
      () => view(id),
      (one) => (isViewWrite(one) && count++ === 0 ? second(one) : undefined),
    );
    expect([result.status, result.body.viewsLeft]).toEqual([200, 1]);
    const [first, last] = viewWrites(sent);
    expect(last[':viewId']).toBe(first[':viewId']);
    expect(sent.filter(({ input }) => input.DelaySeconds === 120)).toHaveLength(1);
  });

  it.each([
    ['its views are used up', { views: 2 }],
    ['its time is over', { expiresAt: '2026-11-21T12:00:00.000Z' }],
    ['it was taken down', { takenDown: true }],
    ['its owner is suspended', { ownerSuspended: true }],
  ])('is denied if %s since the share was read', async (_, fields) => {
    const id = await shares.newShare({ viewLimit: 2 });
    const { result } = await watch(
      () => view(id),
      meet(() => fields),
    );
    expect(result.status).toBe(410);
  });

  it.each([
    ['another password', { passwordId: 'another' }, 401],
    ['no password', { passwordId: undefined }, 503],
  ])('is denied if the share has %s by now', async (_, fields, status) => {
    const id = await shares.newShare({ password: 'aB3dE6' });
    const { result } = await watch(
      () => view(id, 'aB3dE6'),
      meet(() => fields),
    );
    expect(result.status).toBe(status);
  });

  it('returns 404 without an access item', async () => {
    const id = await shares.newShare();
    const gone = (one: Sent) => (isViewWrite(one) ? conditionFailed() : undefined);
    expect((await watch(() => view(id), gone)).result.status).toBe(404);
  });

  it('returns 503 if the access item keeps changing', async () => {
    const id = await shares.newShare({ viewLimit: 3 });
    let views = 0;
    const { result } = await watch(
      () => view(id),
      meet(() => ({ views: 1 + (++views % 2) })),
    );
    expect(result.status).toBe(503);
  });
});

describe('a view that may have been consumed without a response', () => {
  /** Loses the response of the view; the refund meets these fields, or succeeds. */
  const lose = (met?: (values: Record<string, unknown>) => object) => {
    let count = 0;
    return (one: Sent) => {
      if (!isViewWrite(one)) return undefined;
      if (count++ === 0) return busy;
      return count === 2 && met ? meet(met)(one) : undefined;
    };
  };

  it.each(passingErrors().filter(([name]) => /^T.*(Conflict|Timeout)/.test(name)))(
    'is refunded after %s',
    async (_, error) => {
      const id = await shares.newShare();
      let count = 0;
      const { result, sent } = await watch(
        () => view(id),
        (one) =>
          isViewWrite(one) && (count++ === 0 || error.name.includes('Conflict'))
            ? error
            : undefined,
      );
      const writes = viewWrites(sent);
      const refund = writes.find((values) => ':consumed' in values);
      expect([result.status, refund?.[':consumed']]).toEqual([503, writes[0][':viewId']]);
      expect(refund?.[':viewId']).not.toBe(writes[0][':viewId']);
    },
  );

  it('reopens the share if it was the last', async () => {
    const id = await shares.newShare({ viewLimit: 1 });
    const endedAt = '2026-11-21T12:00:00.000Z';
    const { result, sent } = await watch(
      () => view(id),
      lose(({ ':consumed': consumed }) => ({ views: 1, endedAt, recentViewIds: [consumed] })),
    );
    expect([result.status, viewWrites(sent).length]).toEqual([503, 3]);
    expect(viewWrites(sent)[2]).toMatchObject({ ':endedAt': endedAt, ':expectedViews': 1 });
  });

  it('is refunded once even if the response of the refund is lost', async () => {
    const id = await shares.newShare({ viewLimit: 3 });
    const { result, sent } = await watch(
      () => view(id),
      lose(({ ':viewId': refund, ':consumed': consumed }) => ({
        recentViewIds: [refund, consumed],
      })),
    );
    expect([result.status, viewWrites(sent).length]).toEqual([503, 2]);
  });

  it('is not refunded by a form, which sends the same view again', async () => {
    const id = await shares.newShare({ viewLimit: 3 });
    const { result, sent } = await watch(() => open(id, { claim: 'a-nonce' }), lose());
    expect([result.status, viewWrites(sent).length]).toEqual([503, 1]);
  });
});

describe('a large text', () => {
  const content = randomBytes(15_000).toString('base64');

  it('consumes no view if it can’t be read', async () => {
    const id = await shares.newShare({ content, viewLimit: 1 });
    for (const send of [() => view(id), () => open(id)]) {
      const { result, sent } = await watch(send, ({ name }) =>
        name === 'GetObject' ? busy : undefined,
      );
      expect([result.status, viewWrites(sent)]).toEqual([503, []]);
    }
  });
});

describe('a concurrent change', () => {
  it('of the owner’s status denies a new share', async () => {
    const { result } = await watch(shares.create, failConditions(/^Update USER#\d+ SHARES$/));
    expect(result.status).toBe(401);
  });

  it('that deletes the share denies a report', async () => {
    const id = await shares.newShare();
    const { result } = await watch(() => report(id), failConditions(/^Update SHARE#/));
    expect(result.status).toBe(404);
  });
});

describe('purgeEndedShare', () => {
  const purge = async (fail: ReturnType<typeof failConditions>) => {
    const id = await shares.newShare({ viewLimit: 1 });
    await view(id);
    pass(120_000);
    return watch(() => purgeEndedShare(id).catch(({ code }) => code), fail);
  };

  it.each(['SHARE', 'STATE'])('skips a share whose %s has changed', async (sk) => {
    const { result } = await purge(failConditions(new RegExp(`^Update SHARE#\\S+ ${sk}$`)));
    expect(result).toBeUndefined();
  });

  it('retries after a concurrent notification, and leaves the share to the next run', async () => {
    const box = / UPDATES#COUNTERS$/;
    expect((await purge(failConditions(box, { times: 1 }))).result).toBeUndefined();
    expect((await purge(failConditions(box))).result).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('a page', () => {
  const pages = [
    ['the page', page, 'text/html'],
    ['the raw text', raw, 'text/plain'],
    ['the frame', frame, 'text/html'],
    ['its opening', open, 'text/html'],
  ] as const;

  it.each(pages)('shows no content if the owner can’t be read: %s', async (_, send, type) => {
    const id = await shares.newShare({ content: 'The source', language: 'html' });
    for (const [error, status] of [
      [busy, 503],
      [accessDenied(), 500],
    ] as const) {
      const { result } = await watch(
        () => send(id),
        ({ name, input }) =>
          name === 'BatchGet' && JSON.stringify(input).includes('"USER"') ? error : undefined,
      );
      expect(result).toMatchObject({
        status,
        headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' },
      });
      for (const text of ['The source', 'Ann Example']) expect(result.body).not.toContain(text);
    }
  });

  it('asks for a password that was set concurrently', async () => {
    const id = await shares.newShare({ viewLimit: 5 });
    let isSet = false;
    const { result } = await watch(
      () => open(id, { password: 'Abc123' }),
      async (one) => {
        if (!isViewWrite(one)) return undefined;
        if (!isSet) await shares.put(id, { password: 'Abc123' });
        isSet = true;
        return conditionFailed(accessItem());
      },
    );
    expect([result.status, result.body.includes('name="password"')]).toEqual([401, true]);
  });
});

it('returns stored password data to no caller', async () => {
  const root = sharesOf(await newUserOf('super_admin'));
  const id = await shares.newShare({ password: 'aB3dE6' });
  const stored = service.items.find((item) => 'password' in item)?.['password'] as {
    readonly id: string;
    readonly hash: Uint8Array;
    readonly salt: Uint8Array;
  };
  const denied = () =>
    watch(
      () => view(id, 'aB3dE6'),
      (one) => (isViewWrite(one) ? accessDenied() : undefined),
    );
  const responses = [
    (await denied()).result,
    await view(id, 'aB3dE6'),
    await view(id, 'wrong1'),
    await page(id),
    await shares.look(id),
    await root.decide(id, 'keep'),
    await call('GET /api/shares', { token: ann.token }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([500, 200, 401, 200, 200, 200, 403]);
  const text = JSON.stringify(responses);
  expect(text).not.toContain(stored.id);
  for (const bytes of [stored.hash, stored.salt]) {
    expect(text).not.toContain(Buffer.from(bytes).toString('base64'));
  }
});
