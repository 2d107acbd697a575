import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  allow,
  answerOf,
  appsOf,
  bodyOf,
  connect,
  decide,
  exchange,
  newClient,
  refreshApp,
  revokeApp,
} from '../../support/apps/apps.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { settleJobs, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { login, newUserOf, password } from '../../support/users/test-users.ts';
import { signInAgain, useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
// Apps of the same millisecond may have the same id.
beforeEach(() => pass(1));
useJobs();
const { ann } = useNewPeople({ ann: 'user' });
afterEach(() => vi.unstubAllEnvs());

const minuteMs = 60_000;

describe('POST /api/apps/consent', () => {
  it('gives the permissions that are allowed, never more than asked or held', async () => {
    const client = await newClient();
    const scope = 'shares:view documents:view documents:create';
    const permissions = ['documents:view'];
    await connect(ann, client, { scope, permissions });
    expect(await appsOf(ann)).toMatchObject([{ permissions, ceiling: null }]);
    const message = 'must be among those that the app asks for: shares:view, documents:view';
    for (const wider of ['shares:create', 'documents:create', 'documents:*', '*', 'toString']) {
      const body = { ...bodyOf(client), scope, permissions: ['shares:view', wider] };
      expect(await decide(ann, body)).toMatchObject({
        status: 400,
        body: errorBody('VALIDATION_ERROR', `Invalid permissions: ${message}.`, [
          { field: 'permissions', message },
        ]),
      });
    }
    expect(await decide(ann, { ...bodyOf(client), permissions: [] })).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'permissions', message: 'must name at least one' }] } },
    });
    expect(await decide(ann, { ...bodyOf(client), permissions: undefined })).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'permissions', message: 'is required' }] } },
    });
    expect(await appsOf(ann)).toMatchObject([{ permissions, ceiling: null }]);
  });

  it('bounds what an app publishes by the ceiling, within what the service allows', async () => {
    const client = await newClient();
    const ceiling = { maxAudience: 'members', maxAge: 3_600, sharesPerDay: 2 };
    await allow(ann, client, { ceiling });
    expect((await appsOf(ann))[0].ceiling).toEqual({ ...ceiling, maxViews: null });
    vi.stubEnv('MAX_AUDIENCE', 'people');
    expect(await decide(ann, { ...bodyOf(client), ceiling })).toMatchObject({
      status: 422,
      body: errorBody('UNPROCESSABLE', 'Invalid ceiling.maxAudience: can be at most people here.', [
        { field: 'ceiling.maxAudience', message: 'can be at most people here' },
      ]),
    });
    for (const [field, value] of [
      ['maxAudience', 'everyone'],
      ['maxAge', 0],
      ['maxAge', null],
      ['sharesPerDay', 10_001],
    ] as const) {
      const body = { ...bodyOf(client), ceiling: { ...ceiling, [field]: value } };
      expect(await decide(ann, body)).toMatchObject({
        status: 400,
        body: { error: { details: [{ field: `ceiling.${field}` }] } },
      });
    }
  });

  it('alerts the owner and audits', async () => {
    const client = await newClient();
    const { code } = await allow(ann, client);
    await settleJobs();
    const { body } = await call('GET /api/notifications', { token: ann.token });
    expect(body.data.items).toMatchObject([
      {
        title: 'An app was connected to your account',
        content: 'The app “Notebook” was allowed to use your account on 2026-11-21 at 12:00 UTC.',
      },
    ]);
    const [{ id }] = await appsOf(ann);
    const entries = await entriesAbout(`app:${id}`);
    expect(entries).toMatchObject([
      {
        action: 'app.allow',
        actorId: ann.id,
        after: {
          userId: ann.id,
          name: 'Notebook',
          client: null,
          host: 'localhost',
          permissions: ['shares:create', 'shares:view'],
          maxAudience: 'private',
        },
      },
    ]);
    expect(JSON.stringify(await itemsOf(''))).not.toContain(code);
  });

  it.each(['sec-fetch-site', 'origin', 'content-type'])(
    'is refused with the cookie across sites, as %s says',
    async (header) => {
      const { cookies = [] } = await login(ann.email);
      const cookie = cookies[0]?.split(';')[0] ?? '';
      const body = bodyOf(await newClient());
      const json = { 'content-type': 'application/json' };
      const foreign = {
        'sec-fetch-site': { ...json, 'sec-fetch-site': 'cross-site' },
        origin: { ...json, origin: 'https://evil.example' },
        'content-type': { 'content-type': 'text/plain' },
      }[header] as Record<string, string>;
      const send = (headers: Record<string, string>) =>
        call('POST /api/apps/consent', { cookies: [cookie], headers, body });
      expect((await send(foreign)).status).toBe(403);
      expect(await appsOf(ann)).toEqual([]);
      expect((await send({ ...json, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    },
  );

  it('asks for the password for powerful permissions, or a sign-in of the last 15 minutes', async () => {
    const admin = await newUserOf('super_admin');
    const client = await newClient();
    const body = {
      ...bodyOf(client),
      scope: 'documents:manage shares:view',
      permissions: ['documents:manage'],
    };
    expect((await decide(admin, body)).status).toBe(200);
    pass(14 * minuteMs);
    const { token } = await signInAgain(admin);
    pass(14 * minuteMs + 59_000);
    expect((await decide({ token }, body)).status).toBe(200);
    pass(2_000);
    const { body: tokens } = await call('POST /api/auth/refresh', {
      body: { refreshToken: admin.refreshToken },
    });
    const stale = { token: tokens.accessToken };
    expect(await decide(stale, body)).toMatchObject({
      status: 403,
      body: {
        error: {
          code: 'REAUTHENTICATION_REQUIRED',
          message: expect.stringMatching(/^The app has documents:manage\. Send your/),
        },
      },
    });
    expect((await decide(stale, { ...body, permissions: ['shares:view'] })).status).toBe(200);
    expect(await decide(stale, { ...body, currentPassword: 'wrong' })).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'currentPassword', message: 'is incorrect' }] } },
    });
    expect((await decide(stale, { ...body, currentPassword: password })).status).toBe(200);
  });

  it('allows again: the app keeps its id and its logins, and has what was allowed last', async () => {
    const client = await newClient();
    const first = await connect(ann, client);
    const [before] = await appsOf(ann);
    pass(minuteMs);
    await connect(ann, client, { permissions: ['shares:view'] });
    expect(await appsOf(ann)).toEqual([{ ...before, permissions: ['shares:view'], ceiling: null }]);
    expect((await refreshApp(client, first.refresh)).body.scope).toBe('shares:view');
  });

  it('allows a revoked app anew: its former logins stay ended', async () => {
    const client = await newClient();
    const first = await connect(ann, client);
    const [before] = await appsOf(ann);
    await revokeApp(ann, before.id);
    pass(minuteMs);
    await connect(ann, client);
    expect(await appsOf(ann)).toEqual([{ ...before, createdAt: new Date().toISOString() }]);
    expect((await refreshApp(client, first.refresh)).status).toBe(400);
  });

  it('allows up to 50 apps, also for concurrent requests', async () => {
    const clients = await Promise.all(Array.from({ length: 55 }, () => newClient()));
    const statuses = [];
    for (let at = 0; at < 45; at += 1)
      statuses.push(await decide(ann, bodyOf(clients[at] as never)));
    const rest = clients.slice(45);
    statuses.push(...(await Promise.all(rest.map((client) => decide(ann, bodyOf(client))))));
    expect(await appsOf(ann)).toHaveLength(50);
    expect(statuses.filter(({ status }) => status === 409).length).toBeGreaterThanOrEqual(5);
    const refused = await decide(ann, bodyOf(await newClient()));
    expect(refused).toMatchObject({
      status: 409,
      body: errorBody('CONFLICT', 'You can have up to 50 connected apps. Revoke one first.'),
    });
    const [latest] = await appsOf(ann);
    await revokeApp(ann, latest.id);
    expect((await decide(ann, bodyOf(await newClient()))).status).toBe(200);
    // What has ended is deleted with the next one.
    pass(2 * minuteMs);
    const [another] = await appsOf(ann);
    await revokeApp(ann, another.id);
    expect((await decide(ann, bodyOf(await newClient()))).status).toBe(200);
    const stored = (await itemsOf(`USER#${ann.id}`)).filter(({ sk }) => /^APP#/.test(String(sk)));
    expect(stored).toHaveLength(51);
  });

  it('keeps ten logins of an app and ends the one refreshed longest ago', async () => {
    const client = await newClient();
    const all = [];
    for (let at = 0; at < 10; at += 1) {
      all.push(await connect(ann, client));
      pass(1_000);
    }
    const [first, second] = all as [(typeof all)[0], (typeof all)[0]];
    expect((await refreshApp(client, first.refresh)).status).toBe(200);
    pass(1_000);
    await connect(ann, client);
    expect((await refreshApp(client, first.refresh)).status).toBe(200);
    expect((await refreshApp(client, second.refresh)).status).toBe(400);
  });

  it('denies without a trace', async () => {
    const before = await itemsOf(`USER#${ann.id}`);
    const body = { ...bodyOf(await newClient()), decision: 'deny' };
    expect(answerOf(await decide(ann, body))).toMatchObject({ error: 'access_denied' });
    expect(await itemsOf(`USER#${ann.id}`)).toEqual(before);
    expect((await exchange({ client: await newClient(), code: '', verifier: '' })).status).toBe(
      400,
    );
  });
});
