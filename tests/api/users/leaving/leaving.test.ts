// Accounts that their owners delete, during the seven days in which they can be kept.
import { describe, expect, it, vi } from 'vitest';
import { find } from '../../../../functions/api/users/record/users.ts';
import { hosts, listRoutes } from '../../../../functions/routes.ts';
import type { Host } from '../../../../shared/http/host.ts';
import { connect, refreshApp } from '../../../support/apps/apps.ts';
import { made as madeEvent } from '../../../support/calendar/calendar.ts';
import { newFeed, readFeed } from '../../../support/calendar/feed.ts';
import { modern } from '../../../support/mcp/messages.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { call } from '../../../support/service/call.ts';
import { errorBody } from '../../../support/service/error-body.ts';
import { runMinute, settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { linksOf, sharesOf } from '../../../support/shares/requests.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { createApiToken, me, profile, refresh } from '../../../support/users/account.ts';
import { changeUser, deleteUser, readUser } from '../../../support/users/administration.ts';
import { newTotpUser, nextCode, reauthenticate } from '../../../support/users/factors.ts';
import { keep, leave, leaveNow, weekMs } from '../../../support/users/leaving.ts';
import { deleteRole, newRole } from '../../../support/users/roles.ts';
import {
  login,
  newPerson,
  newUserOf,
  type Person,
  password,
  setUser,
  writing,
} from '../../../support/users/test-users.ts';
import { signInAgain, useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useBucket();

const pending = { status: 403, body: { error: { code: 'DELETION_PENDING' } } };

/** Signs in the owner of an account that waits to be deleted. */
const comeBack = async ({ email }: Pick<Person, 'email'>): Promise<string> => {
  const { status, body } = await login(email);
  expect([status, body.user.deletesAt]).toEqual([200, expect.any(String)]);
  return body.accessToken;
};

/** Returns a token of the same session once its sign-in is no fresh one. */
const later = async ({ refreshToken }: Person): Promise<string> => {
  pass(16 * 60_000);
  return (await refresh(refreshToken)).body.accessToken;
};

describe('DELETE /api/users/me', () => {
  const { ann, root } = useNewPeople({ ann: 'user', root: 'super_admin' });

  it('closes the account in one step, says when it is gone, and ends all sessions', async () => {
    const other = (await login(ann.email)).body;
    const answer = await leave(ann.token);
    const deletesAt = new Date(Date.now() + weekMs).toISOString();
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: { id: ann.id, deletesAt },
        message: 'Sign in within 7 days to keep your account.',
      },
    });
    expect(answer.cookies?.[0]).toMatch(/^__Host-session=;.*Max-Age=0/);
    for (const token of [ann.token, other.accessToken]) expect((await me(token)).status).toBe(401);
    for (const token of [ann.refreshToken, other.refreshToken]) {
      expect((await refresh(token)).status).toBe(401);
    }
    const { data } = (await readUser(root, ann.id)).body;
    expect([data.status, data.deletesAt]).toEqual(['active', deletesAt]);
    const [entry, ...others] = (await entriesAbout(`user:${ann.id}`)).filter(
      ({ action }) => action === 'user.leave',
    );
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ actorId: ann.id, after: { deletesAt } });
  });

  it('takes the right password of who has one, and no API token', async () => {
    const wrong = (message: string) =>
      errorBody('VALIDATION_ERROR', `Invalid currentPassword: ${message}.`, [
        { field: 'currentPassword', message },
      ]);
    expect(await leave(ann.token, {})).toMatchObject({
      status: 400,
      body: wrong('is required to delete the account'),
    });
    expect(await leave(ann.token, { currentPassword: 'wrong horse' })).toMatchObject({
      status: 400,
      body: wrong('is incorrect'),
    });
    const { token } = (await createApiToken(ann.token)).body.data;
    expect((await leave(token)).status).toBe(403);
    expect((await profile(ann.token)).body.data.deletesAt).toBeNull();
  });

  it('takes the second factor of who has one', async () => {
    const eve = await newTotpUser();
    const token = await later(eve);
    const refused = await leave(token);
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'REAUTHENTICATION_REQUIRED', details: [{ field: 'code' }] } },
    });
    await reauthenticate(token, { code: nextCode(eve.secret) });
    expect((await leave(token)).status).toBe(200);
  });

  it('takes a fresh sign-in of who has no password that counts', async () => {
    vi.stubEnv('PASSWORD_SIGN_IN', 'off');
    try {
      expect(await leave(await later(ann), {})).toMatchObject({
        status: 403,
        body: { error: { code: 'REAUTHENTICATION_REQUIRED', details: [{ field: 'signIn' }] } },
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('lets users go who have yet to verify their address', async () => {
    vi.stubEnv('EMAIL_VERIFICATION', 'required');
    try {
      expect((await leave(ann.token)).status).toBe(200);
      const token = (await login(ann.email)).body.accessToken;
      expect(await call('GET /api/documents', { token })).toMatchObject(pending);
      expect((await keep(token)).status).toBe(200);
      expect(await call('GET /api/documents', { token })).toMatchObject({
        body: { error: { code: 'VERIFICATION_REQUIRED' } },
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('sets one date and one audit entry if it is requested twice at once', async () => {
    const answers = await Promise.all([leave(ann.token), leave(ann.token)]);
    const dates = new Set(
      answers.flatMap(({ status, body }) => (status === 200 ? [body.data.deletesAt] : [])),
    );
    expect(dates.size).toBe(1);
    const { deletesAt } = (await readUser(root, ann.id)).body.data;
    expect([...dates]).toEqual([deletesAt]);
    const about = await entriesAbout(`user:${ann.id}`);
    expect(about.filter(({ action }) => action === 'user.leave')).toHaveLength(1);
  });

  it('is refused if all sessions end meanwhile', async () => {
    const [answer] = await Promise.all([
      leave(ann.token),
      call('DELETE /api/users/{id}/sessions', {
        token: root.token,
        params: { id: String(ann.id) },
      }),
    ]);
    const { deletesAt } = (await readUser(root, ann.id)).body.data;
    expect(answer.status === 200).toBe(deletesAt !== null);
    expect([200, 401]).toContain(answer.status);
  });
});

describe('the last active super_admin', () => {
  it('stays; one that waits to be deleted doesn’t count, and counts again once kept', async () => {
    const [ann, bob] = [await newUserOf('super_admin'), await newUserOf('super_admin')];
    // Those of other tests.
    for (const item of await itemsOf('USER#')) {
      const isOther =
        item['role'] === 'super_admin' && ![ann.id, bob.id].includes(item['id'] as number);
      if (isOther) await deleteUser(ann, item['id'] as number);
    }
    await leaveNow(ann.token);
    const last = errorBody(
      'CONFLICT',
      'The last active super_admin can’t be removed. Add another first.',
    );
    expect(await leave(bob.token)).toMatchObject({ status: 409, body: last });
    expect(await changeUser(bob, bob.id, { role: 'user' })).toMatchObject({ status: 409 });
    const back = await comeBack(ann);
    expect((await keep(back)).status).toBe(200);
    expect((await leave(bob.token)).status).toBe(200);
    expect(await leave(back)).toMatchObject({ status: 409, body: last });
  });

  it('isn’t one who becomes super_admin while the account waits', async () => {
    const [root, ann] = [await newUserOf('super_admin'), await newUserOf('user')];
    await leaveNow(ann.token);
    expect((await changeUser(root, ann.id, { role: 'super_admin' })).status).toBe(200);
    const active = async () => Number((await itemsOf('SUPER_ADMINS'))[0]?.['active']);
    const before = await active();
    await keep(await comeBack(ann));
    expect((await active()) - before).toBe(1);
  });
});

describe('an account that waits to be deleted', () => {
  const { ann, bob, root } = useNewPeople({
    ann: () => newUserOf('user', { extraPermissions: writing('documents', 'calendar') }),
    bob: () => newUserOf('user', { extraPermissions: ['messages:create', 'calendar:create'] }),
    root: 'super_admin',
  });

  it('shows others nothing it had shown, from the next request on, before any job', async () => {
    const { newShare } = sharesOf(ann);
    const ids = [
      await newShare({}),
      await newShare({ readers: [bob.id] }),
      await newShare({ slug: `leaving-${ann.id}` }),
    ];
    const link = (await linksOf(ann).addLink(ids[0] ?? '', { label: 'For Eve' })).body;
    const request = (
      await call('POST /api/share/requests', { token: ann.token, body: { title: 'Logs' } })
    ).body;
    const feed = await newFeed(ann);
    const apiToken = (await createApiToken(ann.token)).body.data.token;
    const app = await connect(ann);
    const open = (id: string) => call('GET /s/{id}', { params: { id } });
    expect((await open(ids[0] ?? '')).status).toBe(200);
    expect((await readFeed(feed)).status).toBe(200);
    await leaveNow(ann.token);

    for (const id of [...ids, `leaving-${ann.id}`, link.id]) {
      expect([401, 410], id).toContain((await open(id)).status);
      for (const path of ['GET /s/{id}/raw', 'GET /s/{id}/embed']) {
        expect((await call(path, { params: { id } })).status, `${path} ${id}`).not.toBe(200);
      }
    }
    const asReader = { token: bob.token, query: { id: ids[1] ?? '' } };
    expect((await call('GET /api/share', asReader)).status).toBe(410);
    const received = await call('GET /api/share/received', { token: bob.token });
    expect(JSON.stringify(received.body)).not.toContain(ids[1]);
    const asked = await call('GET /r/{id}', { params: { id: request.id } });
    expect(asked.status).toBe(410);
    expect((await readFeed(feed)).status).toBe(404);
    expect((await me(apiToken)).status).toBe(401);
    expect((await modern(app.access, 'tools/list')).status).toBe(401);
    expect((await refreshApp(app.client, app.refresh)).status).toBe(400);
    const search = { token: root.token, query: { search: ann.email } };
    expect((await call('GET /api/users/directory', search)).body.data).toEqual([]);
    expect(
      await call('POST /api/messages', {
        token: bob.token,
        body: { to: [ann.id], content: 'Hello' },
      }),
    ).toMatchObject({ status: 400 });
    expect(
      await call('POST /api/calendar/events', {
        token: bob.token,
        body: {
          title: 'A meeting',
          ...{ start: '2026-12-01T09:00:00Z', end: '2026-12-01T10:00:00Z' },
          attendees: [ann.id],
        },
      }),
    ).toMatchObject({ status: 400 });
    expect(await sharesOf(bob).create({ readers: [ann.email] })).toMatchObject({ status: 400 });
    expect(await deleteUser(root, bob.id, ann.id)).toMatchObject({ status: 400 });
    await settleJobs();
    expect((await open(ids[0] ?? '')).status).toBe(410);
  });

  it('comes back as it was once its owner signs in and keeps it', async () => {
    const id = await sharesOf(ann).newShare({});
    const feed = await newFeed(ann);
    await madeEvent(ann, { title: 'Gathering' });
    const apiToken = (await createApiToken(ann.token)).body.data.token;
    await leaveNow(ann.token);
    await settleJobs();
    pass(weekMs - 3_600_000);
    await runMinute();
    const token = await comeBack(ann);
    const { status, body } = await keep(token);
    expect([status, body.data.deletesAt, body.message]).toEqual([200, null, 'Account kept']);
    await settleJobs();
    expect((await call('GET /s/{id}', { params: { id } })).status).toBe(200);
    expect((await readFeed(feed)).status).toBe(200);
    for (const one of [token, apiToken]) expect((await me(one)).status).toBe(200);
    const found = await call('GET /api/users/directory', {
      token: (await login(root.email)).body.accessToken,
      query: { search: ann.email },
    });
    expect(found.body.data).toHaveLength(1);
    pass(2 * weekMs);
    await settleJobs();
    expect(await find(ann.id)).toBeDefined();
    const entry = (await entriesAbout(`user:${ann.id}`)).filter(
      ({ action }) => action === 'user.return',
    );
    expect(entry).toMatchObject([{ actorId: ann.id, before: { deletesAt: expect.any(String) } }]);
    // Keeping what stays changes nothing.
    const version = (await find(ann.id))?.version;
    const again = (await login(ann.email)).body.accessToken;
    expect((await keep(again)).body.data.version).toBe(version);
  });

  it('lets its owner see it, keep it or sign out, and nothing else', async () => {
    await leaveNow(ann.token);
    const token = await comeBack(ann);
    const routes = (Object.keys(hosts) as Host[]).flatMap(listRoutes);
    const guarded = routes.filter(({ access }) => access !== 'public' && access !== 'optional');
    const isLast = ({ path }: { readonly path: string }) => Number(/logout|me.restore/.test(path));
    const letIn: string[] = [];
    for (const { method, path } of guarded.toSorted((a, b) => isLast(a) - isLast(b))) {
      const { status, body } = await call(`${method} ${path}`, {
        params: { id: 'garbage' },
        query: { page: 'garbage', sort: 'garbage', transferTo: 'garbage' },
        body: '{"gar',
        token,
      });
      const isRefused =
        (status === 403 && body.error?.code === 'DELETION_PENDING') || path === '/mcp';
      if (!isRefused) letIn.push(`${method} ${path}`);
    }
    expect(letIn.toSorted()).toEqual([
      'GET /api/auth/me',
      'GET /api/users/me',
      'POST /api/auth/logout',
      'POST /api/users/me/restore',
    ]);
  });

  it('counts as signed out where sign-in is optional, and pages lead to the one that keeps it', async () => {
    const id = await sharesOf(bob).newShare({ readers: [ann.id] });
    await leaveNow(ann.token);
    await comeBack(ann);
    const cookie = (await login(ann.email)).cookies?.[0]?.split(';')[0] ?? '';
    for (const path of ['dashboard', 'account', 'authorize', 'verify', 'enrol'] as const) {
      const { status, headers } = await call(`GET /${path}`, { cookies: [cookie] });
      expect([status, headers['location']], path).toEqual([303, `/leaving?next=/${path}`]);
    }
    const gate = await call('GET /s/{id}', {
      params: { id },
      cookies: [cookie],
      headers: { accept: 'text/html' },
    });
    expect([gate.status, gate.body.includes(`href="/leaving?next=/s/${id}"`)]).toEqual([401, true]);
    expect((await call('GET /', { cookies: [cookie] })).status).toBe(200);
  });

  it('can’t be entered while administrators suspend it, can again afterwards, and is deleted all the same', async () => {
    await leaveNow(ann.token);
    const token = await comeBack(ann);
    expect((await changeUser(root, ann.id, { status: 'suspended' })).status).toBe(200);
    expect((await keep(token)).status).toBe(401);
    expect((await login(ann.email)).status).toBe(401);
    const id = await sharesOf(bob).newShare({});
    expect((await call('GET /s/{id}', { params: { id } })).status).toBe(200);
    const waiting = (await changeUser(root, ann.id, { status: 'active' })).body.data;
    expect([waiting.status, waiting.deletesAt]).toEqual(['active', expect.any(String)]);
    await comeBack(ann);
    await changeUser(root, ann.id, { status: 'suspended' });
    pass(weekMs);
    await settleJobs();
    expect(await find(ann.id)).toBeUndefined();
  });

  it('counts for its custom role, which can’t be deleted meanwhile', async () => {
    const name = await newRole(root, ['audit:view']);
    const eve = await newUserOf(name);
    await leaveNow(eve.token);
    expect((await deleteRole(root, name)).status).toBe(409);
    pass(weekMs);
    await settleJobs();
    await signInAgain(root);
    expect((await deleteRole(root, name)).status).toBe(200);
  });

  it('is no administrator’s to change by its date, which the user’s record says', async () => {
    await leaveNow(ann.token);
    const { deletesAt } = (await readUser(root, ann.id)).body.data;
    expect((await changeUser(root, ann.id, { deletesAt: null })).status).toBe(400);
    expect((await changeUser(root, ann.id, { deletesAt, name: 'Ann B.' })).status).toBe(200);
  });
});

describe('POST /api/users/me/restore', () => {
  it('is for sessions', async () => {
    const ann = await newPerson();
    const { token } = (await createApiToken(ann.token)).body.data;
    expect((await keep(token)).status).toBe(403);
    expect((await keep(undefined)).status).toBe(401);
  });

  it('keeps an account whose time has come, as long as it is there', async () => {
    const ann = await newPerson();
    await leaveNow(ann.token);
    pass(weekMs + 1);
    expect((await keep(await comeBack(ann))).status).toBe(200);
    await settleJobs();
    expect((await login(ann.email, password)).status).toBe(200);
    await setUser(ann.id, { status: 'active' });
  });
});
