// Accounts whose seven days are over.
import { afterEach, describe, expect, it } from 'vitest';
import { removeLeft } from '../../../../functions/api/users/record/left-accounts.ts';
import { find } from '../../../../functions/api/users/record/users.ts';
import * as documents from '../../../support/documents/documents.ts';
import * as files from '../../../support/files/files.ts';
import { violationsOf } from '../../../support/invariants/invariants.ts';
import { sent } from '../../../support/messages/messages.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { call } from '../../../support/service/call.ts';
import { minuteLater, runMinute, settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../../support/service/mail.ts';
import { readObjects, readState } from '../../../support/service/state.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { createApiToken } from '../../../support/users/account.ts';
import { deleteUser } from '../../../support/users/administration.ts';
import { keep, leaveNow, weekMs } from '../../../support/users/leaving.ts';
import { login, newUserOf, type Person, writing } from '../../../support/users/test-users.ts';
import { tracesOf } from '../../../support/users/traces.ts';
import { signInAgain, usePeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useBucket();
useMail();

const { root } = usePeople({ root: 'super_admin' });
afterEach(async () => {
  expect(violationsOf(await readState())).toEqual([]);
});

const permissions = [...writing('documents', 'files', 'calendar'), 'messages:create'];
const newAnn = () => newUserOf('user', { name: 'Ann Leaver', extraPermissions: permissions });

/** Creates one record of each kind. */
const makeAll = async (owner: Person, reader: Person) => {
  const { token } = owner;
  const document = await documents.made(owner, {
    title: 'A document',
    content: 'x'.repeat(60_000),
  });
  const file = await files.made(owner, { name: 'a.txt' }, 'bytes');
  const share = await sharesOf(owner).newShare({ content: '<p>Gone soon</p>' });
  const body = { title: 'One', start: '2026-12-24T09:00:00Z', end: '2026-12-24T10:00:00Z' };
  await call('POST /api/calendar/events', { token, body });
  await sent(owner, [reader]);
  await createApiToken(token);
  await call('POST /api/checkin', { token });
  return { document, file, share };
};

const dueItems = async () => (await itemsOf('USERS#LEAVING#')).length;

describe('an account whose owner has left', () => {
  it('is deleted after seven days with all it had, and not a minute earlier', async () => {
    const [ann, bob] = [await newAnn(), await newUserOf('user')];
    const before = (await readObjects()).length;
    const { share } = await makeAll(ann, bob);
    await settleJobs();
    await leaveNow(ann.token);
    await settleJobs();
    expect(violationsOf(await readState())).toEqual([]);
    expect(await dueItems()).toBe(1);
    pass(weekMs - 120_000);
    await settleJobs();
    expect(await find(ann.id)).toBeDefined();
    expect((await call('GET /s/{id}', { params: { id: share } })).status).toBe(410);
    pass(120_000);
    await runMinute();
    // At once, before the job deletes what it had.
    expect(await find(ann.id)).toBeUndefined();
    expect((await login(ann.email)).status).toBe(401);
    for (let minute = 0; minute < 4; minute++) await minuteLater();
    expect((await call('GET /s/{id}', { params: { id: share } })).status).toBe(404);
    pass(86_400_000);
    await settleJobs();
    // What was sent stays with who received it.
    const traces = (await tracesOf(ann.id)).filter(
      (item) =>
        !/^(MESSAGE#|USER#)/.test(String((item as { pk: string }).pk)) ||
        String((item as { pk: string }).pk) === `USER#${ann.id}`,
    );
    expect(traces).toEqual([]);
    expect(await itemsOf(`USER#${ann.id}`)).toEqual([]);
    expect((await readObjects()).length).toBe(before);
    expect(await dueItems()).toBe(0);
    const entry = (await entriesAbout(`user:${ann.id}`)).at(-1);
    expect(entry).toMatchObject({ action: 'user.delete', before: { email: ann.email } });
    expect(entry?.['actorId']).toBeUndefined();
  });

  it('is told when, how to return, that it is kept, and that it is gone', async () => {
    const ann = await newAnn();
    const deletesAt = await leaveNow(ann.token);
    await settleJobs();
    const [told, ...none] = await mailsTo(ann.email);
    expect([told?.subject, none]).toEqual(['Your account will be deleted', []]);
    expect(told?.text).toContain(`on ${deletesAt.slice(0, 10)} at ${deletesAt.slice(11, 16)} UTC`);
    expect(told?.text).toContain('Sign in before then to keep it.');
    expect(linkOf(told ?? expect.unreachable())).toBe('https://handbill.test/account');
    await keep((await login(ann.email)).body.accessToken);
    await settleJobs();
    expect((await mailsTo(ann.email)).map(({ subject }) => subject)).toEqual([
      'Your account will be deleted',
      'Your account is kept',
    ]);
    await leaveNow((await login(ann.email)).body.accessToken);
    await settleJobs();
    pass(weekMs);
    await runMinute();
    for (let minute = 0; minute < 3; minute++) await minuteLater();
    const [, , , last] = await mailsTo(ann.email);
    expect(last?.subject).toBe('Your account is deleted');
    expect(last?.text).toContain('It can’t be restored.');
    expect(await mailsTo(ann.email)).toHaveLength(4);
  });

  it('gets no other emails while it waits', async () => {
    const [ann, bob] = [await newAnn(), await newAnn()];
    const id = await sharesOf(ann).newShare({ notify: true });
    await call('GET /s/{id}', { params: { id } });
    await sent(bob, [ann]);
    await leaveNow(ann.token);
    await settleJobs();
    expect((await mailsTo(ann.email)).map(({ subject }) => subject)).toEqual([
      'Your account will be deleted',
    ]);
  });

  it('is kept or deleted, never half of both, if both happen at once', async () => {
    for (let round = 0; round < 5; round++) {
      const ann = await newAnn();
      await leaveNow(ann.token);
      pass(weekMs);
      const { token } = (await login(ann.email)).body;
      const [kept] = await Promise.all([keep(token), removeLeft(ann.id)]);
      const user = await find(ann.id);
      const isThere = user !== undefined;
      expect(kept.status === 200).toBe(isThere);
      expect(user?.deletesAt).toBeUndefined();
      await settleJobs();
      expect((await login(ann.email)).status).toBe(isThere ? 200 : 401);
    }
  });

  it('can be deleted at once by an administrator, after which the run finds nothing', async () => {
    const ann = await newAnn();
    await leaveNow(ann.token);
    await signInAgain(root);
    expect((await deleteUser(root, ann.id)).status).toBe(200);
    expect(await dueItems()).toBe(0);
    await removeLeft(ann.id);
    pass(weekMs);
    await settleJobs();
    const about = await entriesAbout(`user:${ann.id}`);
    expect(about.filter(({ action }) => action === 'user.delete')).toHaveLength(1);
    expect((await mailsTo(ann.email)).map(({ subject }) => subject)).not.toContain(
      'Your account is deleted',
    );
  });

  it('is deleted with many others at once', async () => {
    const people: Person[] = [];
    for (let count = 0; count < 12; count++) people.push(await newUserOf('user'));
    for (const { token } of people) await leaveNow(token);
    pass(weekMs);
    await runMinute();
    for (const { id } of people) expect(await find(id)).toBeUndefined();
    for (let minute = 0; minute < 3; minute++) await minuteLater();
  });
});
