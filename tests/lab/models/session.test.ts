import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import fc from '../../support/run/properties.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, password } from '../../support/users/test-users.ts';

useTable();

let adminToken: string;
beforeAll(async () => {
  // Stops the clock, so that the 10 s for a repeated refresh pass only where the model says so.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  vi.stubEnv('JWT_ACCESS_EXPIRES', '1d');
  adminToken = (await newUserOf('super_admin')).token;
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const kinds = [
  'login',
  'refresh',
  'repeat',
  'reuse',
  'use',
  'logout',
  'logoutAll',
  'password',
  'revoke',
  'suspend',
  'reactivate',
] as const;

/** An operation by the session at one index on that at another, after more than 10 s or at once. */
const Operation = fc.record({
  isLater: fc.boolean(),
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant('login' as const) },
    { weight: 5, arbitrary: fc.constantFrom(...kinds) },
  ),
  by: fc.nat(3),
  to: fc.nat(3),
});
type Operation = typeof Operation extends fc.Arbitrary<infer T> ? T : never;

/** An operation with session names. `rotation` belongs to the refresh token; `given` and `wanted` are passwords. */
interface Command {
  readonly kind: (typeof kinds)[number];
  readonly by: string;
  readonly to: string;
  readonly rotation: number;
  /** That of the newest access token. */
  readonly newest: number;
  readonly given: string;
  readonly wanted: string;
}

interface Refreshed {
  /** The number of refreshes. */
  readonly rotation: number;
  /** Whether the last one was within 10 s. */
  readonly isRecent: boolean;
  /** Whether its access token has been accepted. */
  readonly isAccepted: boolean;
}

const begun: Refreshed = { rotation: 0, isRecent: false, isAccepted: true };

interface Model {
  /** The active sessions. */
  readonly living: Readonly<Record<string, Refreshed>>;
  readonly isActive: boolean;
  readonly password: string;
}

const only = (living: Model['living'], keeps: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(living).filter(([name]) => keeps(name)));

/** Returns the expected model and status of a command. The model `before` decides access and existence. */
const step = (model: Model, command: Command, before = model): [Model, number] => {
  const { living } = model;
  const { kind, by, to, rotation, newest, given, wanted } = command;
  const without = (name: string) => ({ ...model, living: only(living, (one) => one !== name) });
  if (kind === 'suspend') return [{ ...model, isActive: false, living: {} }, 200];
  if (kind === 'reactivate') return [{ ...model, isActive: true }, 200];
  if (kind === 'login') {
    if (!model.isActive || given !== model.password) return [model, 401];
    return [{ ...model, living: { ...living, [to]: begun } }, 200];
  }
  const current = living[by];
  const update = (changed: Partial<Refreshed>): Model =>
    current ? { ...model, living: { ...living, [by]: { ...current, ...changed } } } : model;
  if (kind === 'refresh' || kind === 'repeat' || kind === 'reuse') {
    if (current === undefined) return [model, 401];
    const behind = current.rotation - rotation;
    if (behind === 0) {
      return [update({ rotation: rotation + 1, isRecent: true, isAccepted: false }), 200];
    }
    const isReplay = behind === 1 && (current.isRecent || !current.isAccepted);
    return isReplay ? [model, 200] : [without(by), 401];
  }
  if (kind === 'use') {
    if (current === undefined) return [model, 401];
    return [newest === current.rotation ? update({ isAccepted: true }) : model, 200];
  }
  if (kind === 'password') {
    if (living[by] === undefined) return [model, 401];
    if (given !== model.password) return [model, 400];
    return [{ ...model, password: wanted, living: only(living, (one) => one === by) }, 200];
  }
  if (before.living[by] === undefined) return [model, 401];
  if (kind === 'logout') return [without(by), 200];
  if (kind === 'logoutAll') return [{ ...model, living: {} }, 200];
  return before.living[to] === undefined ? [model, 404] : [without(to), 200];
};

/** Creates an account with the tokens of all its sessions, including ended ones. */
const start = async () => {
  const { id, email, token, refreshToken } = await newUserOf('user');
  interface Kept {
    readonly id: string;
    readonly token: string;
    readonly accessTokens: string[];
    readonly refreshTokens: string[];
  }
  const sessions = new Map<string, Kept>();
  const keep = async (name: string, access: string, refresh: string) => {
    const { sid } = JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString());
    sessions.set(name, {
      id: sid,
      token: access,
      accessTokens: [access],
      refreshTokens: [refresh],
    });
  };
  await keep('s0', token, refreshToken);
  let count = 0;

  const toCommand = ({ kind, by, to }: Operation, model: Model): Command => {
    const names = [...sessions.keys()].slice(-4);
    const name = names[by % names.length] ?? '';
    const newest = (sessions.get(name)?.refreshTokens.length ?? 0) - 1;
    const back = kind === 'reuse' ? 2 : Number(kind === 'repeat');
    return {
      kind,
      by: name,
      to: kind === 'login' ? `s${++count}` : (names[to % names.length] ?? ''),
      rotation: Math.max(0, newest - back),
      newest,
      given: model.password,
      wanted: `${password} ${++count}`,
    };
  };

  const run = async ({
    kind,
    by,
    to,
    rotation,
    newest,
    given,
    wanted,
  }: Command): Promise<number> => {
    const session = sessions.get(by);
    const access = session?.token;
    if (kind === 'suspend' || kind === 'reactivate') {
      const body = { status: kind === 'suspend' ? 'suspended' : 'active' };
      const params = { id: String(id) };
      return (await call('PUT /api/users/{id}', { token: adminToken, params, body })).status;
    }
    if (kind === 'login') {
      const { status, body } = await call('POST /api/auth/login', {
        body: { email, password: given },
      });
      if (status === 200) await keep(to, body.accessToken, body.refreshToken);
      return status;
    }
    if (kind === 'use') {
      return (await call('GET /api/auth/me', { token: session?.accessTokens[newest] })).status;
    }
    if (kind === 'refresh' || kind === 'repeat' || kind === 'reuse') {
      const refreshTokens = session?.refreshTokens ?? [];
      const { status, body } = await call('POST /api/auth/refresh', {
        body: { refreshToken: refreshTokens[rotation] },
      });
      if (status === 200) {
        const known = refreshTokens[rotation + 1];
        if (known !== undefined) expect(body.refreshToken).toBe(known);
        refreshTokens[rotation + 1] = body.refreshToken;
        if (session) session.accessTokens[rotation + 1] = body.accessToken;
      }
      return status;
    }
    if (kind === 'password') {
      const body = { currentPassword: given, password: wanted };
      return (await call('PUT /api/auth/password', { token: access, body })).status;
    }
    if (kind === 'revoke') {
      const params = { id: sessions.get(to)?.id ?? '' };
      return (await call('DELETE /api/auth/sessions/{id}', { token: access, params })).status;
    }
    const body = kind === 'logoutAll' ? { scope: 'all' } : {};
    return (await call('POST /api/auth/logout', { token: access, body })).status;
  };

  /** Returns the names of the sessions with a valid access token. */
  const living = async (): Promise<string[]> => {
    const responses = await Promise.all(
      [...sessions].map(async ([name, { token: access }]) => {
        const { status } = await call('GET /api/auth/me', { token: access });
        return status === 200 ? [name] : [];
      }),
    );
    return responses.flat().toSorted();
  };

  const model: Model = { living: { s0: begun }, isActive: true, password };
  return { model, toCommand, run, living };
};

/** Lets the time pass in which each refresh can be repeated. */
const wait = (model: Model): Model => {
  vi.setSystemTime(Date.now() + 10_000);
  const aged = Object.entries(model.living).map(([name, one]) => [
    name,
    { ...one, isRecent: false },
  ]);
  return { ...model, living: Object.fromEntries(aged) };
};

const namesOf = (model: Model) => Object.keys(model.living).toSorted();

/** Returns all outcomes of two concurrent commands: in either order, with or without effects of rejected ones. */
const outcomes = (model: Model, pair: readonly Command[], statuses: readonly number[]): Model[] => {
  const isRefused = (at: number) => (statuses[at] ?? 0) >= 400;
  const ways = [
    [0, 1],
    [1, 0],
    ...[0, 1].filter((at) => isRefused(1 - at)).map((at) => [at]),
    ...(isRefused(0) && isRefused(1) ? [[]] : []),
  ];
  return ways.flatMap((way) => {
    let after = model;
    for (const at of way) {
      const [next, status] = step(after, pair[at] as Command, model);
      if (status !== statuses[at]) return [];
      after = next;
    }
    return [after];
  });
};

describe('sessions under operations in any order', () => {
  it('match the model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Operation, { minLength: 4, maxLength: 14 }), async (operations) => {
        const account = await start();
        let { model } = account;
        for (const operation of operations) {
          if (operation.isLater) model = wait(model);
          const command = account.toCommand(operation, model);
          const [next, status] = step(model, command);
          expect(await account.run(command), JSON.stringify(command)).toBe(status);
          model = next;
          expect(await account.living(), JSON.stringify(command)).toEqual(namesOf(model));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('match one of two orders for two concurrent operations', async () => {
    const Pairs = fc.array(fc.tuple(Operation, Operation), { minLength: 3, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(Pairs, async (pairs) => {
        const account = await start();
        let { model } = account;
        for (const pair of pairs) {
          if (pair[0].isLater) model = wait(model);
          const commands = pair.map((operation) => account.toCommand(operation, model));
          const statuses = await Promise.all(commands.map(account.run));
          const living = await account.living();
          const told = JSON.stringify({ model, commands, statuses, living });
          const fitting = outcomes(model, commands, statuses).filter(
            (one) => JSON.stringify(namesOf(one)) === JSON.stringify(living),
          );
          expect(fitting, told).not.toEqual([]);
          model = fitting[0] as Model;
        }
      }),
      { numRuns: 40 },
    );
  });

  it('end with a deletion, including concurrently created ones', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, email, token } = await newUserOf('user');
      const params = { id: String(id) };
      const [deleted, ...logins] = await Promise.all([
        call('DELETE /api/users/{id}', { token: adminToken, params }),
        ...Array.from({ length: 3 }, () =>
          call('POST /api/auth/login', { body: { email, password } }),
        ),
      ]);
      expect(deleted.status).toBe(200);
      const begun = logins.filter(({ status }) => status === 200).map(({ body }) => body.token);
      for (const one of [token, ...begun]) {
        expect(await call('GET /api/auth/me', { token: one })).toMatchObject({ status: 401 });
      }
    }
  });

  it('survive 20 concurrent refreshes with one token', async () => {
    const { token, refreshToken } = await newUserOf('user');
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => call('POST /api/auth/refresh', { body: { refreshToken } })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const successors = new Set(responses.map(({ body }) => body.refreshToken));
    expect(successors.size).toBe(1);
    expect(await call('GET /api/auth/me', { token })).toMatchObject({ status: 200 });
    const [next] = successors;
    expect(await call('POST /api/auth/refresh', { body: { refreshToken: next } })).toMatchObject({
      status: 200,
    });
  });
});
