// Whether what fails leaves no audit entry. `tests/contract/audit-routes.test.ts` proves the entry of each success.
import { beforeAll, describe, expect, it } from 'vitest';
import { hosts, listRoutes } from '../../../functions/routes.ts';
import type { Host } from '../../../shared/http/host.ts';
import { entries, entriesAbout } from '../../support/service/audit.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { form } from '../../support/service/form.ts';
import { useTable } from '../../support/table/table.ts';
import { freshPassword, refresh, resetPassword } from '../../support/users/account.ts';
import { leave } from '../../support/users/leaving.ts';
import { newResetToken } from '../../support/users/links.ts';
import {
  login,
  newEmail,
  newPerson,
  password,
  register,
  setUser,
} from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

const changing = (Object.keys(hosts) as Host[])
  .flatMap(listRoutes)
  .filter(({ method }) => method !== 'GET');
const isGuarded = ({ access }: (typeof changing)[number]) =>
  access !== 'public' && access !== 'optional';

const { root, ann } = usePeople({ root: 'super_admin', ann: newPerson });
/** An API token of Ann with few permissions, and one of her shares. */
let apiToken: string;
let shareId: string;
beforeAll(async () => {
  const created = await call('POST /api/auth/tokens', {
    token: ann.token,
    body: { name: 'x', permissions: ['documents:view'] },
  });
  apiToken = created.body.data.token;
  const shared = await call('POST /api/share', { token: ann.token, body: { content: 'Hi' } });
  shareId = shared.body.id;
});

const leavesNone = async (status: number, request: () => Promise<Answer>) => {
  const before = await entries();
  const response = await request();
  expect(response.status).toBe(status);
  expect(await entries()).toEqual(before);
};

const params = { id: '1', start: '2026-11-24' };

const takesJson = ({ body, accepts }: (typeof changing)[number]) => body && accepts === 'json';

describe('a request rejected before it is handled', () => {
  const guarded = changing.filter(isGuarded);
  const limited = changing.filter(({ access }) => access.includes(':') || access === 'session');
  const tokenFor = ({ access }: (typeof changing)[number]) =>
    access.includes(':') ? root.token : ann.token;

  it.each([
    ['without a token', 401, guarded, () => ({ body: {} })],
    ['without the permission', 403, limited, () => ({ body: {}, token: apiToken })],
    [
      'with an invalid body',
      400,
      changing.filter(takesJson),
      (route: (typeof changing)[number]) => ({ body: '{', token: tokenFor(route) }),
    ],
  ] as const)('leaves no entry on any route %s', async (_, status, routes, optionsOf) => {
    const before = await entries();
    const answered: Record<string, number> = {};
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      answered[name] = (await call(name, { params, ...optionsOf(route) })).status;
    }
    expect(new Set(Object.values(answered)), JSON.stringify(answered)).toEqual(new Set([status]));
    expect(await entries()).toEqual(before);
  });
});

const stale = { 'if-match': '"99-aaaaaaaa"' };
const id = (value: number | string) => ({ params: { id: String(value) } });
const usedToken = async (): Promise<string> => {
  const token = await newResetToken((await newPerson()).id);
  await resetPassword(token);
  return token;
};

/** Requests that fail because of stored data, each with its own setup. */
const failures: readonly (readonly [
  string,
  string,
  number,
  () => Promise<() => Promise<Answer>>,
])[] = [
  [
    'POST /api/auth/register',
    'with a registered address',
    409,
    async () => () => register(ann.email),
  ],
  [
    'POST /api/auth/refresh',
    'with a token of an ended session',
    401,
    async () => {
      const { token, refreshToken } = await newPerson();
      await call('POST /api/auth/logout', { token });
      return () => refresh(refreshToken);
    },
  ],
  [
    'POST /api/auth/logout',
    'twice',
    401,
    async () => {
      const { token } = await newPerson();
      await call('POST /api/auth/logout', { token });
      return () => call('POST /api/auth/logout', { token });
    },
  ],
  [
    'POST /api/auth/reset-password',
    'with a used link',
    400,
    async () => {
      const token = await usedToken();
      return () => resetPassword(token);
    },
  ],
  ...(['POST /reset', 'POST /invite'] as const).map(
    (endpoint) =>
      [
        endpoint,
        'with a used link',
        400,
        async () => {
          const token = await usedToken();
          const passwords = { password: freshPassword, confirmPassword: freshPassword };
          return () => call(endpoint, form({ token, ...passwords }));
        },
      ] as const,
  ),
  [
    'POST /undo-email',
    'with an invalid link',
    400,
    async () => () => call('POST /undo-email', form({ token: `${ann.id}.${'x'.repeat(43)}` })),
  ],
  [
    'POST /reset',
    'with a short password',
    400,
    async () => {
      const token = await newResetToken(ann.id);
      return () => call('POST /reset', form({ token, password: '1', confirmPassword: '1' }));
    },
  ],
  [
    'DELETE /api/auth/sessions/{id}',
    'of another user',
    404,
    async () => {
      const { data } = (await call('GET /api/auth/sessions', { token: root.token })).body;
      return () => call('DELETE /api/auth/sessions/{id}', { token: ann.token, ...id(data[0].id) });
    },
  ],
  [
    'DELETE /api/auth/tokens/{id}',
    'of another user',
    404,
    async () => {
      const { data } = (await call('GET /api/auth/tokens', { token: ann.token })).body;
      return () => call('DELETE /api/auth/tokens/{id}', { token: root.token, ...id(data[0].id) });
    },
  ],
  [
    'POST /api/auth/tokens',
    'with a missing permission',
    403,
    async () => () =>
      call('POST /api/auth/tokens', {
        token: ann.token,
        body: { name: 'x', permissions: ['users:view'] },
      }),
  ],
  [
    'POST /api/auth/tokens',
    'beyond the limit of 50',
    409,
    async () => {
      const { token } = await newPerson();
      const create = () => call('POST /api/auth/tokens', { token, body: { name: 'x' } });
      for (let made = 0; made < 50; made++) await create();
      return create;
    },
  ],
  [
    'PUT /api/auth/password',
    'with an incorrect password',
    400,
    async () => () =>
      call('PUT /api/auth/password', {
        token: ann.token,
        body: { currentPassword: 'wrong horse', password: freshPassword },
      }),
  ],
  [
    'PUT /api/users/me',
    'with a registered address',
    409,
    async () => () =>
      call('PUT /api/users/me', {
        token: ann.token,
        body: { email: root.email, currentPassword: password },
      }),
  ],
  [
    'PUT /api/users/me',
    'with an outdated version',
    412,
    async () => () =>
      call('PUT /api/users/me', { token: ann.token, headers: stale, body: { name: 'Zoe' } }),
  ],
  [
    'POST /api/users',
    'with a registered address',
    409,
    async () => () =>
      call('POST /api/users', { token: root.token, body: { email: ann.email, name: 'Zoe' } }),
  ],
  [
    'POST /api/users/{id}/invitation',
    'for a user with a password',
    409,
    async () => () => call('POST /api/users/{id}/invitation', { token: root.token, ...id(ann.id) }),
  ],
  [
    'POST /api/users/{id}/invitation',
    'for an unknown user',
    404,
    async () => () => call('POST /api/users/{id}/invitation', { token: root.token, params }),
  ],
  [
    'PUT /api/users/{id}',
    'with an outdated version',
    412,
    async () => () =>
      call('PUT /api/users/{id}', {
        token: root.token,
        ...id(ann.id),
        headers: stale,
        body: { role: 'guest' },
      }),
  ],
  [
    'PUT /api/users/{id}',
    'for an unknown user',
    404,
    async () => () =>
      call('PUT /api/users/{id}', { token: root.token, params, body: { role: 'guest' } }),
  ],
  ['DELETE /api/users/me', 'of the last super_admin', 409, async () => () => leave(root.token)],
  [
    'DELETE /api/users/{id}',
    'of the last super_admin',
    409,
    async () => () => call('DELETE /api/users/{id}', { token: root.token, ...id(root.id) }),
  ],
  [
    'DELETE /api/users/{id}',
    'with an outdated version',
    412,
    async () => () =>
      call('DELETE /api/users/{id}', { token: root.token, ...id(ann.id), headers: stale }),
  ],
  [
    'PUT /api/share/{id}',
    'of another user',
    404,
    async () => {
      const { token } = await newPerson();
      return () => call('PUT /api/share/{id}', { token, ...id(shareId), body: { title: 'x' } });
    },
  ],
  [
    'DELETE /api/share/{id}',
    'of another user',
    404,
    async () => {
      const { token } = await newPerson();
      return () => call('DELETE /api/share/{id}', { token, ...id(shareId) });
    },
  ],
  [
    'POST /api/share/{id}/report',
    'for an unknown share',
    404,
    async () => () =>
      call('POST /api/share/{id}/report', { ...id('nothing'), body: { reason: 'It is bad' } }),
  ],
  [
    'POST /s/{id}/report',
    'for an unknown share',
    404,
    async () => () =>
      call('POST /s/{id}/report', { ...id('nothing'), ...form({ reason: 'It is bad' }) }),
  ],
  [
    'POST /s/{id}/end',
    'which readers can’t end',
    404,
    async () => () => call('POST /s/{id}/end', { ...id(shareId), ...form() }),
  ],
  [
    'POST /s/{id}/open',
    'for an unknown share',
    404,
    async () => () => call('POST /s/{id}/open', { ...id('nothing'), body: '' }),
  ],
  [
    'POST /s/{id}/code',
    'for an unknown link',
    404,
    async () => () => call('POST /s/{id}/code', { ...id('nothing'), ...form() }),
  ],
  [
    'POST /s/{id}/proof',
    'for an unknown link',
    404,
    async () => () => call('POST /s/{id}/proof', { ...id('nothing'), ...form({ code: '123456' }) }),
  ],
  [
    'POST /r/{id}',
    'with a form that is no form of files',
    400,
    async () => () => call('POST /r/{id}', { ...id('nothing'), ...form({ text: 'Hi' }) }),
  ],
  [
    'POST /r/{id}/report',
    'for an unknown request',
    404,
    async () => () =>
      call('POST /r/{id}/report', { ...id('nothing'), ...form({ reason: 'It is bad' }) }),
  ],
  [
    'POST /second-factor',
    'with an invalid token',
    303,
    async () => () => call('POST /second-factor', form({ mfaToken: 'x', code: '123456' })),
  ],
  [
    'POST /oauth/token',
    'with an unknown code',
    400,
    async () => () =>
      call('POST /oauth/token', form({ grant_type: 'authorization_code', code: 'hbc_1_x' })),
  ],
  [
    'POST /oauth/revoke',
    'without a token',
    400,
    async () => () => call('POST /oauth/revoke', form({})),
  ],
  [
    'PUT /api/shares/{id}/decision',
    'for an unknown share',
    404,
    async () => () =>
      call('PUT /api/shares/{id}/decision', {
        token: root.token,
        ...id('nothing'),
        body: { decision: 'keep' },
      }),
  ],
  [
    'POST /api/checkin',
    'twice',
    409,
    async () => {
      await call('POST /api/checkin', { token: ann.token });
      return () => call('POST /api/checkin', { token: ann.token });
    },
  ],
];

it('covers every route that changes data', () => {
  const failing = changing.filter(
    (route) =>
      isGuarded(route) ||
      takesJson(route) ||
      failures.some(([name]) => name === `${route.method} ${route.path}`),
  );
  expect(failing).toEqual(changing);
});

describe('a failed request leaves no entry:', () => {
  it.each(failures)('%s %s', async (_name, _why, status, prepare) => {
    await leavesNone(status, await prepare());
  });
});

describe('a failed sign-in', () => {
  const refused = async (email: string, given: string) => {
    const before = new Set((await entries()).map((entry) => entry['id']));
    const { status, headers } = await call('POST /api/auth/login', {
      body: { email, password: given },
    });
    expect(status).toBe(401);
    const left = (await entries()).filter((entry) => !before.has(entry['id']));
    expect(left).toMatchObject([{ requestId: headers['x-request-id'] }]);
    for (const name of ['actorId', 'gsi1pk', 'before']) expect(left[0]).not.toHaveProperty(name);
    return left[0] ?? expect.unreachable();
  };
  const entry = (subject: string, reason: string) => ({
    action: 'session.fail',
    subject,
    address: '192.0.2.1',
    after: { reason },
  });

  it('creates an entry about its user without an actor', async () => {
    const { id, email } = await newPerson();
    expect(await refused(email, 'wrong horse')).toMatchObject(
      entry(`user:${id}`, 'wrong password'),
    );
    await setUser(id, { status: 'suspended' });
    expect(await refused(email, password)).toMatchObject(entry(`user:${id}`, 'account suspended'));
    expect(await refused(email, 'wrong horse')).toMatchObject(
      entry(`user:${id}`, 'wrong password'),
    );
    expect(await entriesAbout(`user:${id}`)).toHaveLength(4);
  });

  it('creates an entry without the input for an unknown address', async () => {
    const typed = `hunter2-${newEmail()}`;
    const left = await refused(typed, 'wrong horse');
    expect(left).toMatchObject(entry('user:unknown', 'unknown email address'));
    expect(JSON.stringify(left)).not.toContain('hunter2');
  });

  it('creates no entry for an invalid request', async () => {
    await leavesNone(400, () =>
      call('POST /api/auth/login', { body: { email: 'not an address', password } }),
    );
  });

  it('creates no failure entry for a successful login', async () => {
    const { id, email } = await newPerson();
    await login(email);
    const actions = (await entriesAbout(`user:${id}`)).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(['session.create', 'user.register']);
  });
});
