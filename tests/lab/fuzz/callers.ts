import { create } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import { signToken } from '../../../shared/auth/tokens.ts';
import type { Role } from '../../../shared/permissions/permissions.ts';
import { getEffectivePermissions } from '../../../shared/permissions/roles.ts';
import type { Records } from './records.ts';
import type { Send } from './send.ts';
import { password } from './values.ts';

export const callerNames = [
  'nobody',
  'garbage',
  'expired',
  'guest',
  'user',
  'author',
  'otherAuthor',
  'apiToken',
  'admin',
  'superAdmin',
] as const;
export type CallerName = (typeof callerNames)[number];

/** A user who sends requests, and their permissions. */
export interface Caller {
  readonly name: CallerName;
  readonly token: string | undefined;
  /** `none` has no valid credentials. */
  readonly by: 'none' | 'session' | 'apiToken';
  readonly userId: number | undefined;
  readonly permissions: readonly string[];
  /** ms since 1970 */
  readonly madeAt: number;
}

/** Shorter than the lifetime of an access token. */
const longestUseMs = 5 * 60_000;

interface Account {
  readonly role: Role;
  readonly extras: readonly string[];
}

const authorExtras = [
  ...['documents', 'files', 'calendar'].flatMap((each) =>
    ['create', 'update', 'delete'].map((verb) => `${each}:${verb}`),
  ),
  'messages:create',
  'messages:delete',
  'dashboard:view',
];

const accounts: Readonly<Partial<Record<CallerName, Account>>> = {
  guest: { role: 'guest', extras: [] },
  user: { role: 'user', extras: [] },
  author: { role: 'user', extras: authorExtras },
  otherAuthor: { role: 'user', extras: authorExtras },
  admin: { role: 'admin', extras: [] },
  superAdmin: { role: 'super_admin', extras: [] },
};

const tokenPermissions = ['documents:view', 'files:view', 'profile:view', 'shares:view'];

/** Creates callers of every kind. Replaces those who were signed out, changed or removed. */
export const createCallers = async (send: Send, records: Records) => {
  const callers = new Map<CallerName, Caller>();
  let count = 0;

  const signUp = async (name: CallerName, { role, extras }: Account): Promise<void> => {
    const email = `${name.toLowerCase()}-${process.pid}-${Date.now()}-${count++}@example.com`;
    const passwordHash = await hashPassword(password);
    await create(
      { email, name: `Fuzz ${name}`, passwordHash, role, extraPermissions: extras },
      systemRecorder('user.create'),
    );
    const body = JSON.stringify({ email, password });
    const response = await send({ method: 'POST', path: '/api/auth/login', body });
    const { user, accessToken, refreshToken } = response.body;
    records.add('user', String(user.id));
    records.add('refreshToken', refreshToken);
    const permissions = getEffectivePermissions({ role, extraPermissions: extras }, undefined);
    const signedIn = { by: 'session', userId: user.id, madeAt: Date.now() } as const;
    callers.set(name, { name, token: accessToken, permissions, ...signedIn });
  };

  const makeApiToken = async (): Promise<void> => {
    const author = callers.get('author');
    const body = JSON.stringify({ name: `fuzz ${count++}`, permissions: tokenPermissions });
    const sent = { method: 'POST', path: '/api/auth/tokens', body, token: author?.token };
    const response = await send(sent);
    if (response.status !== 201) throw new Error(`No API token: ${response.text}`);
    callers.set('apiToken', {
      name: 'apiToken',
      token: (response.body.data ?? response.body).token,
      by: 'apiToken',
      userId: author?.userId,
      permissions: tokenPermissions,
      madeAt: Date.now(),
    });
  };

  const isAsMade = async ({ token, permissions, by, madeAt }: Caller): Promise<boolean> => {
    if (Date.now() - madeAt > longestUseMs) return false;
    const { status, body } = await send({ method: 'GET', path: '/api/auth/me', token });
    if (status !== 200) return false;
    const held: string[] = (body.data ?? body.user ?? body).permissions ?? [];
    return by === 'apiToken' || held.toSorted().join() === permissions.toSorted().join();
  };

  const make = async (name: CallerName): Promise<void> => {
    const account = accounts[name];
    if (account) await signUp(name, account);
  };

  for (const name of callerNames) await make(name);
  await makeApiToken();
  const nowhere = { by: 'none', userId: undefined, permissions: [], madeAt: Date.now() } as const;
  const gone = { sub: '1', sid: 'gone', n: 0 };
  const expired = await signToken('access', gone, 1_000, { issuedAt: Date.now() - 86_400_000 });
  callers.set('nobody', { name: 'nobody', token: undefined, ...nowhere });
  callers.set('garbage', { name: 'garbage', token: 'hb_1_nothing', ...nowhere });
  callers.set('expired', { name: 'expired', token: expired, ...nowhere });

  return {
    get: (name: CallerName): Caller => callers.get(name) as Caller,
    /** Returns the caller who is this user, by session. */
    ofUser: (userId: number | undefined): Caller | undefined =>
      [...callers.values()].find((one) => one.by === 'session' && one.userId === userId),
    /** Replaces callers whom a request has signed out, changed or removed. */
    async renew(): Promise<void> {
      for (const client of [...callers.values()]) {
        if (client.by !== 'session' || (await isAsMade(client))) continue;
        await make(client.name);
        if (client.name === 'author') await makeApiToken();
      }
      const token = callers.get('apiToken');
      if (token && !(await isAsMade(token))) await makeApiToken();
    },
    /** Returns tokens that no other caller may see. */
    secrets: (): string[] =>
      [...callers.values()].flatMap(({ token, by }) => (token && by !== 'none' ? [token] : [])),
  };
};

export type Callers = Awaited<ReturnType<typeof createCallers>>;
