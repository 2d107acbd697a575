// The logins of a connected app under exchanges, refreshes, revocations, crashes and lost answers: no refresh token has two living
// children, and what is revoked is dead at the next request.

import { beforeAll, describe, expect, it } from 'vitest';
import { authenticateApp } from '../../../shared/auth/app.ts';
import {
  type Allowed,
  allow,
  appsOf,
  exchange,
  newClient,
  refreshApp,
  restoreApp,
  revokeApp,
} from '../../support/apps/apps.ts';
import fc from '../../support/run/properties.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { form } from '../../support/service/form.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { type Command, kinds, livingOf, type Model, nothing, step } from '../support/apps/model.ts';
import { allowCrashes, type CrashPoint, runUntil } from '../support/faults/dying-process.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
beforeAll(allowCrashes);

const point: fc.Arbitrary<CrashPoint | undefined> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  fc.record({ nth: fc.integer({ min: 1, max: 5 }), isAfter: fc.boolean() }),
);

const Operation = fc.record({
  /** The time that passes before it, in ms. */
  waits: fc.constantFrom(0, 0, 0, 10_000, 60_000),
  kind: fc.oneof(
    { weight: 2, arbitrary: fc.constant('allow' as const) },
    { weight: 3, arbitrary: fc.constant('exchange' as const) },
    { weight: 3, arbitrary: fc.constant('refresh' as const) },
    { weight: 7, arbitrary: fc.constantFrom(...kinds) },
  ),
  /** Counts back from the newest code or login. */
  back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(2)),
  /** Whether its client never gets the response. */
  isLost: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  point,
});
type Operation = typeof Operation extends fc.Arbitrary<infer T> ? T : never;

/** A command as it is sent: what it needs, and whether its process dies or its response is lost. */
type Sent = Command & Pick<Operation, 'isLost' | 'point'>;

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** How many rotations before the newest the token is that an operation uses. */
const behind: Partial<Record<Command['kind'], number>> = { repeat: 1, reuse: 2 };

const fromEnd = <T>(all: readonly T[], back: number): T | undefined =>
  all[Math.max(0, all.length - 1 - back)];

/** Creates a person and a client, which keeps what it is sent. */
const start = async () => {
  const person = await newPerson();
  const client = await newClient();
  const codes = new Map<number, Allowed>();
  /** The tokens of each login by rotation, as far as the client has got them. */
  const held = new Map<number, Tokens[]>();
  /** All tokens that were sent, by login and rotation. */
  const issued = new Map<string, string>();
  let id: number | undefined;
  let count = 0;

  const toSent = ({ kind, back, isLost, point: dies }: Operation): Sent | undefined => {
    const now = Date.now();
    const sent = { kind, now, rotation: 0, isLost, point: dies };
    if (kind === 'allow') return { ...sent, which: count++ };
    if (kind === 'revoke' || kind === 'restore') return id ? { ...sent, which: -1 } : undefined;
    const which = fromEnd([...(kind === 'exchange' ? codes : held).keys()], back);
    if (which === undefined) return undefined;
    const newest = (held.get(which)?.length ?? 1) - 1;
    return { ...sent, which, rotation: Math.max(0, newest - (behind[kind] ?? 0)) };
  };

  const keep = ({ which, isLost }: Sent, at: number, { status, body }: Answer): number => {
    if (status !== 200) return status;
    const known = issued.get(`${which} ${at}`);
    // There is never a second child.
    if (known !== undefined) expect(body.refresh_token).toBe(known);
    issued.set(`${which} ${at}`, body.refresh_token);
    if (isLost) return status;
    const tokens = held.get(which) ?? [];
    tokens[at] = { access: body.access_token, refresh: body.refresh_token };
    held.set(which, tokens);
    return status;
  };

  const isAlive = (access = ''): Promise<boolean> =>
    authenticateApp(access).then(
      () => true,
      () => false,
    );

  const send = async (sent: Sent): Promise<number> => {
    const { kind, which, rotation } = sent;
    const tokens = held.get(which)?.[rotation];
    switch (kind) {
      case 'allow': {
        codes.set(which, await allow(person, client));
        id ??= (await appsOf(person))[0]?.id;
        return 200;
      }
      case 'exchange':
        return keep(sent, 0, await exchange(codes.get(which) as Allowed));
      case 'refresh':
      case 'repeat':
      case 'reuse':
        return keep(sent, rotation + 1, await refreshApp(client, tokens?.refresh ?? ''));
      case 'use':
        return (await isAlive(tokens?.access)) ? 200 : 401;
      case 'end':
        return (await call('POST /oauth/revoke', form({ token: tokens?.refresh ?? '' }))).status;
      case 'revoke':
        return (await revokeApp(person, id)).status;
      case 'restore':
        return (await restoreApp(person, id)).status;
    }
  };

  /** Returns the status of the response; `undefined` if the process may have died. */
  const run = async (sent: Sent): Promise<number | undefined> => {
    if (!sent.point) return send(sent);
    await runUntil(sent.point, () => send(sent)).catch(() => undefined);
    return undefined;
  };

  /** Returns the numbers of the logins of which a token works. */
  const living = async (): Promise<number[]> => {
    const all = await Promise.all(
      [...held].map(async ([which, [first]]) => ((await isAlive(first?.access)) ? [which] : [])),
    );
    return all.flat();
  };

  return { toSent, run, living, isHeld: (which: number) => held.has(which) };
};

type Account = Awaited<ReturnType<typeof start>>;

/** Returns what a command may have led to: if its process has died, also to nothing. */
const after = (models: readonly Model[], sent: Sent, status: number | undefined): Model[] =>
  models.flatMap((model) => {
    const [next, expected] = step(model, sent);
    if (status === undefined) return [model, next];
    return status === expected ? [next] : [];
  });

/** Returns the models with the logins that live. What a client never got can't be seen. */
const fitting = async ({ living, isHeld }: Account, models: readonly Model[]): Promise<Model[]> => {
  const seen = JSON.stringify((await living()).toSorted());
  const fit = models.filter(
    (model) => JSON.stringify(livingOf(model).filter(isHeld).toSorted()) === seen,
  );
  return [...new Map(fit.map((model) => [JSON.stringify(model), model])).values()];
};

describe('the logins of an app under operations in any order', () => {
  it('match the model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Operation, { minLength: 6, maxLength: 16 }), async (operations) => {
        const account = await start();
        let models: Model[] = [nothing];
        for (const operation of operations) {
          pass(operation.waits);
          const sent = account.toSent(operation);
          if (!sent) continue;
          const status = await account.run(sent);
          const told = JSON.stringify({ models, sent, status, living: await account.living() });
          models = await fitting(account, after(models, sent, status));
          expect(models, told).not.toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('match one of two orders for two concurrent operations', async () => {
    const Pairs = fc.array(fc.tuple(Operation, Operation), { minLength: 4, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(Pairs, async (pairs) => {
        const account = await start();
        let models: Model[] = [nothing];
        for (const pair of pairs) {
          pass(pair[0].waits);
          const both = pair.map(account.toSent).filter((sent) => sent !== undefined);
          const statuses = await Promise.all(both.map(account.run));
          const done = both.map((sent, at) => ({ sent, status: statuses[at] }));
          const possible = [done, done.toReversed()].flatMap((order) =>
            order.reduce((all, { sent, status }) => after(all, sent, status), models),
          );
          const told = JSON.stringify({ models, both, statuses, living: await account.living() });
          models = await fitting(account, possible);
          expect(models, told).not.toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });
});
