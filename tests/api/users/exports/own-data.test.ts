import { describe, expect, it } from 'vitest';
import {
  archiveOf,
  askForFile,
  deleteExport,
  downloadFile,
  listExports,
  orderOwnData,
} from '../../../support/exports/exports.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { textOf, useBucket } from '../../../support/s3/local-s3.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { call } from '../../../support/service/call.ts';
import { errorBody } from '../../../support/service/error-body.ts';
import { minuteLater, runMinute, settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { mailsTo, useMail } from '../../../support/service/mail.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { createApiToken, refresh } from '../../../support/users/account.ts';
import { deleteUser } from '../../../support/users/administration.ts';
import { newTotpUser, nextCode, reauthenticate } from '../../../support/users/factors.ts';
import { login, type Person, password } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useTable();
useJobs();
useBucket();
useMail();
useVirtualTime('2026-11-21T12:00:00Z');

const minute = 60_000;
const day = 24 * 60 * minute;

const { ann, bob, admin } = useNewPeople({ ann: 'user', bob: 'user', admin: 'super_admin' });

/** Moves the clock while sessions last, whose access tokens do not. */
const passWith = async (ms: number, ...users: readonly Person[]): Promise<void> => {
  pass(ms);
  for (const user of users) {
    const { accessToken, refreshToken } = (await refresh(user.refreshToken)).body;
    Object.assign(user, { token: accessToken, refreshToken });
  }
};

/** Asks for the own data and waits until it is made. Returns it. */
const exportOwnData = async (of = ann) => {
  await orderOwnData(of);
  await settleJobs();
  return (await listExports(of))[0];
};

describe('POST /api/users/me/export', () => {
  it('makes an archive of what is the caller’s, which the account page offers', async () => {
    const { status, body } = await orderOwnData(ann);
    expect([status, body]).toEqual([
      202,
      {
        success: true,
        message: 'We’ll email you when it’s ready.',
        data: {
          id: expect.any(Number),
          kind: 'own-data',
          format: 'zip',
          filter: null,
          status: 'waiting',
          problem: null,
          requestedAt: '2026-11-21T12:00:00.000Z',
          readyAt: null,
          expiresAt: null,
          bytes: null,
          rows: null,
          leftOut: [],
        },
      },
    ]);
    await settleJobs();
    const [ready] = await listExports(ann);
    expect(ready).toEqual({
      ...body.data,
      status: 'ready',
      readyAt: expect.any(String),
      expiresAt: new Date(Date.parse(ready.readyAt) + 7 * day).toISOString(),
      bytes: expect.any(Number),
      rows: expect.any(Number),
    });
    const response = await downloadFile(ann, ready.id);
    expect([...response.headers].filter(([name]) => name.startsWith('content-'))).toEqual([
      ['content-disposition', 'attachment; filename=handbill-2026-11-21.zip'],
      ['content-length', String(ready.bytes)],
      ['content-type', 'application/zip'],
    ]);
    const files = await archiveOf(ann, ready.id);
    const { data: profile } = (await call('GET /api/users/me', { token: ann.token })).body;
    expect(JSON.parse(files['profile.json'] ?? '')).toEqual(profile);
    expect(JSON.parse(files['handbill.json'] ?? '')).toMatchObject({
      format: 'handbill-export',
      version: 1,
      service: 'https://handbill.test',
      user: { id: profile.id, email: profile.email, name: profile.name },
      exportedAt: ready.readyAt,
      counts: { profile: 1 },
      leftOut: [],
    });
    expect(files['README.txt']).toContain('handbill import');
    expect(Object.values(files).join()).not.toMatch(/passwordHash|\$2[aby]\$|"[ps]k"/);
  });

  it('tells the owner by email and by the bell, without a link to the file', async () => {
    await exportOwnData();
    const [mail] = await mailsTo(ann.email);
    expect(mail?.subject).toBe('The export of your data is ready');
    expect(mail?.text).toContain('https://handbill.test/account?tab=security#your-data');
    expect(mail?.text).toContain('until 28 November (UTC)');
    expect(mail?.text).not.toMatch(/exports\/|X-Amz/);
    const { body } = await call('GET /api/notifications', { token: ann.token });
    expect(body.data.items ?? body.items).toMatchObject([
      { title: 'The export of your data is ready', link: '/account?tab=security#your-data' },
    ]);
  });

  it('returns the one that is yet to be made, also to requests at once', async () => {
    const all = await Promise.all([1, 2, 3].map(() => orderOwnData(ann)));
    const ids = new Set(all.map(({ body }) => body.data.id));
    expect([ids.size, all.map(({ status }) => status)]).toEqual([1, [202, 202, 202]]);
    expect(await listExports(ann)).toHaveLength(1);
  });

  it('returns 429 for a second one within an hour', async () => {
    await exportOwnData();
    const { status, headers, body } = await orderOwnData(ann);
    expect([status, body]).toEqual([
      429,
      errorBody('RATE_LIMITED', 'Your data can be exported once an hour. Try again in 60 minutes.'),
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(59 * 60);
    await passWith(60 * minute, ann, bob);
    expect((await orderOwnData(ann)).status).toBe(202);
    expect((await orderOwnData(bob)).status).toBe(202);
  });

  it('refuses API tokens', async () => {
    const { body } = await createApiToken(ann.token, { name: 'x', expiresInDays: 1 });
    expect((await orderOwnData({ token: body.data.token })).status).toBe(403);
  });
});

describe('POST /api/users/me/exports/{id}/download', () => {
  it('takes a password once the sign-in is old', async () => {
    const { id } = await exportOwnData();
    await passWith(15 * minute, ann);
    const refused = await askForFile(ann, id);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
    expect((await askForFile(ann, id, { currentPassword: 'wrong' })).body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'currentPassword', message: 'is incorrect' }],
    });
    const { status, body } = await askForFile(ann, id, { currentPassword: password });
    expect([status, body.data]).toEqual([
      200,
      { url: expect.stringContaining('X-Amz-Expires=60&'), expiresAt: expect.any(String) },
    ]);
    expect(await entriesAbout(`export:${id}`)).toMatchObject([
      { action: 'export.create' },
      { action: 'export.download', after: { kind: 'own-data', format: 'zip' } },
    ]);
  });

  it('takes a second factor from those who have one', async () => {
    const user = await newTotpUser();
    const { id } = await exportOwnData(user);
    await passWith(15 * minute, user);
    const { body } = await askForFile(user, id, { currentPassword: password });
    expect(body.error).toMatchObject({
      code: 'REAUTHENTICATION_REQUIRED',
      details: [{ field: 'code' }],
    });
    expect((await reauthenticate(user.token, { code: nextCode(user.secret) })).status).toBe(200);
    expect((await askForFile(user, id)).status).toBe(200);
  });

  it('returns 404 for another’s, 409 until it is ready and 404 once it has expired', async () => {
    const { id } = (await orderOwnData(ann)).body.data;
    expect((await askForFile(ann, id)).status).toBe(409);
    await settleJobs();
    expect((await askForFile(bob, id)).status).toBe(404);
    expect((await deleteExport(bob, id)).status).toBe(404);
    pass(7 * day);
    Object.assign(ann, { token: (await login(ann.email)).body.accessToken });
    expect((await askForFile(ann, id)).status).toBe(404);
    expect(await listExports(ann)).toEqual([]);
    await runMinute();
    expect(await textOf(`exports/${ann.id}/${id}`)).toBeUndefined();
  });
});

describe('DELETE /api/users/me/exports/{id}', () => {
  it('ends one that waits, after which another can be asked for', async () => {
    const { id } = (await orderOwnData(ann)).body.data;
    expect((await deleteExport(ann, id)).body).toEqual({
      success: true,
      data: { id },
      message: 'Deleted',
    });
    expect([await listExports(ann), await itemsOf('EXPORTS#DUE')]).toEqual([[], []]);
    expect((await orderOwnData(ann)).status).toBe(202);
  });

  it('deletes the file of one that is ready', async () => {
    const { id } = await exportOwnData();
    expect(await textOf(`exports/${ann.id}/${id}`)).toBeDefined();
    await deleteExport(ann, id);
    await minuteLater();
    expect(await textOf(`exports/${ann.id}/${id}`)).toBeUndefined();
    expect((await orderOwnData(ann)).status).toBe(429);
  });
});

describe('a deleted user', () => {
  it('leaves no export, no file and nothing that is due', async () => {
    const { id } = await exportOwnData();
    await passWith(60 * minute, ann, admin);
    await orderOwnData(ann);
    await deleteUser(admin, ann.id);
    await minuteLater();
    await minuteLater();
    expect(await textOf(`exports/${ann.id}/${id}`)).toBeUndefined();
    expect([await itemsOf('EXPORTS#DUE'), await itemsOf(`USER#${ann.id}`)]).toEqual([[], []]);
  });
});
