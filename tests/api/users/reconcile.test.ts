import { randomBytes } from 'node:crypto';
import { paginateScan, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { accountKeys } from '../../../functions/api/users/record/keys.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { textOf, useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { content, sharesOf } from '../../support/shares/requests.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { profile, refresh } from '../../support/users/account.ts';
import { changeUser, deleteUser } from '../../support/users/administration.ts';
import { newPerson, newUserOf, type Person, register } from '../../support/users/test-users.ts';

useTable();
useJobs();
useBucket();
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const share = (owner: Person, body: object = {}) => sharesOf(owner).newShare(body);
const open = (id: string, password?: string) =>
  call('GET /api/share', { query: { id, ...(password && { password }) } });
const own = async ({ token }: Pick<Person, 'token'>) => {
  const query = { mine: 'true', pageSize: '100' };
  const { body } = await call('GET /api/share', { token, query });
  return { ids: body.items.map(({ id }: { id: string }) => id), total: body.total };
};
const setStatus = (caller: Person, id: number, status: string) =>
  changeUser(caller, id, { status });

/** Creates an admin who can also transfer user data. */
const newTransferrer = () => newUserOf('admin', { extraPermissions: ['shares:manage'] });

/** Checks for a limiter bucket or the receiver of a transfer, which expire by their TTL. */
const isShortLived = ({ pk, ttl }: Record<string, unknown>) =>
  /^(LIMIT|TRANSFER)#/.test(String(pk)) && typeof ttl === 'number';

/** Checks for audit entries, which outlive the user. */
const isAudit = ({ pk }: Record<string, unknown>) => String(pk).startsWith('AUDIT#');

/** Returns the stored items that refer to the user. */
const tracesOf = async (id: number, ...words: readonly string[]) => {
  const names = [String(id), ...words];
  const found: unknown[] = [];
  for await (const { Items = [] } of paginateScan(
    { client: documentClient() },
    { TableName: tableName() },
  )) {
    found.push(
      ...Items.filter((item) => {
        const text = JSON.stringify(item);
        return !isShortLived(item) && !isAudit(item) && names.some((name) => text.includes(name));
      }),
    );
  }
  return found;
};

/** The job that covers an interrupted request. */
const aJob = expect.objectContaining({
  pk: expect.stringMatching(/^OUTBOX#/),
  message: expect.stringContaining('reconcile-user'),
});

describe('DELETE /api/users/{id}', () => {
  it('deletes all items of the user except audit entries', async () => {
    const admin = await newUserOf('admin');
    const bob = await newPerson();
    await call('POST /api/checkin', { token: bob.token });
    const long = randomBytes(600_000).toString('base64');
    const ids = [
      await share(bob, { password: 'Abc123', viewLimit: 3 }),
      await share(bob, { content: '# Hi', language: 'markdown' }),
      await share(bob, { content: long }),
    ];
    await open(ids[1] ?? '');
    expect((await tracesOf(bob.id)).length).toBeGreaterThan(10);
    expect((await deleteUser(admin, bob.id)).status).toBe(200);
    for (const id of ids) {
      const { status, body } = await open(id);
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    const scheduled = (await itemsOf('DELETIONS')).map(({ key }) => String(key));
    expect(scheduled).toEqual([expect.stringContaining(`texts/SHARE/${ids[2]}/`)]);
    expect(await textOf(scheduled[0] ?? '')).toBeDefined();
    await minuteLater();
    expect(await tracesOf(bob.id, bob.email, ...ids)).toEqual([]);
    expect(await textOf(scheduled[0] ?? '')).toBeUndefined();
  });

  it('deletes more shares than fit in one batch', async () => {
    const admin = await newUserOf('admin');
    const bob = await newPerson();
    const ids = await Promise.all(Array.from({ length: 60 }, () => share(bob)));
    expect((await deleteUser(admin, bob.id)).status).toBe(200);
    expect(await tracesOf(bob.id, ...ids)).toEqual([aJob]);
    await minuteLater();
    expect(await tracesOf(bob.id, ...ids)).toEqual([]);
  });

  it('frees the names for registration without the old user data', async () => {
    const admin = await newUserOf('admin');
    const bob = await newPerson();
    const id = await share(bob);
    await call('POST /api/checkin', { token: bob.token });
    const { username } = (await profile(bob.token)).body.data;
    await deleteUser(admin, bob.id);

    const again = await register(bob.email);
    expect(again.status).toBe(201);
    expect(again.body.user).toMatchObject({ username, version: 1, role: 'user' });
    expect(again.body.user.id).toBeGreaterThan(bob.id);
    const { token } = again.body;
    expect(await own({ token })).toEqual({ ids: [], total: 0 });
    expect((await open(id)).status).toBe(404);
    expect((await call('GET /api/checkin', { token })).body).toMatchObject({
      checkedIn: false,
      totalPoints: 0,
      streak: 0,
      history: [],
    });
    expect((await profile(bob.token)).status).toBe(401);
    const { refreshToken } = bob;
    expect((await refresh(refreshToken)).status).toBe(401);
  });
});

describe('DELETE /api/users/{id}?transferTo=', () => {
  it('transfers shares with views and passwords', async () => {
    const admin = await newTransferrer();
    const [bob, ann] = [await newPerson(), await newPerson()];
    const hers = await share(ann);
    const guarded = await share(bob, { password: 'Abc123', viewLimit: 3, title: 'A title' });
    const plain = await share(bob);
    await open(guarded, 'Abc123');
    const { status, body } = await deleteUser(admin, bob.id, ann.id);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, data: { id: bob.id }, message: 'Deleted' });

    const { ids, total } = await own(ann);
    expect([ids.toSorted(), total]).toEqual([[hers, guarded, plain].toSorted(), 3]);
    expect((await open(guarded)).status).toBe(401);
    expect((await open(guarded, 'Abc123')).body).toMatchObject({
      title: 'A title',
      views: 2,
      viewsLeft: 1,
      content,
    });
    expect((await open(plain)).status).toBe(200);
    await minuteLater();
    expect(await tracesOf(bob.id, bob.email)).toEqual([]);
    // The receiver fully owns the transferred shares.
    await deleteUser(admin, ann.id);
    await minuteLater();
    expect(await tracesOf(ann.id, guarded, plain)).toEqual([]);
  });

  it('transfers more than one batch, and two users to one concurrently', async () => {
    const admin = await newTransferrer();
    const [ann, bob, eve] = [await newPerson(), await newPerson(), await newPerson()];
    await Promise.all(Array.from({ length: 30 }, () => share(bob)));
    await Promise.all(Array.from({ length: 5 }, () => share(eve)));
    const responses = await Promise.all([
      deleteUser(admin, bob.id, ann.id),
      deleteUser(admin, eve.id, ann.id),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const { ids, total } = await own(ann);
    expect([new Set(ids).size, total]).toEqual([35, 35]);
    expect(await tracesOf(bob.id)).toEqual([aJob]);
    await minuteLater();
    expect(await tracesOf(bob.id)).toEqual([]);
  });

  it('transfers records that are created concurrently', async () => {
    const admin = await newTransferrer();
    const [ann, bob] = [await newPerson(), await newPerson()];
    const made = [await share(bob)];
    const client = documentClient();
    const send = client.send.bind(client);
    vi.spyOn(client, 'send').mockImplementation(async (command: unknown) => {
      if (command instanceof TransactWriteCommand && made.length === 1) {
        const removed = command.input.TransactItems?.map((write) => write.Delete?.Key?.['pk']);
        if (
          removed?.includes(userKeys.record.partition({ id: bob.id }).pk) &&
          removed.includes(accountKeys.email.partition({ email: bob.email }).pk)
        ) {
          made.push('');
          made[1] = await share(bob);
        }
      }
      return send(command as TransactWriteCommand) as never;
    });
    expect((await deleteUser(admin, bob.id, ann.id)).status).toBe(200);
    const { ids, total } = await own(ann);
    expect([ids.toSorted(), total]).toEqual([made.toSorted(), 2]);
  });

  it.each(['', '0', 'abc', '1', '9007199254740991', '9007199254740992', 'the user'])(
    'rejects %j and changes nothing',
    async (given) => {
      const admin = await newTransferrer();
      const bob = await newPerson();
      const id = await share(bob);
      const response = await deleteUser(admin, bob.id, given === 'the user' ? bob.id : given);
      expect(response.status).toBe(400);
      expect(response.body.error.details).toEqual([
        { field: 'transferTo', message: expect.any(String) },
      ]);
      expect(await own(bob)).toEqual({ ids: [id], total: 1 });
    },
  );

  it('transfers nothing if the user can’t be deleted', async () => {
    const [root, admin, ann] = [
      await newUserOf('super_admin'),
      await newTransferrer(),
      await newPerson(),
    ];
    const id = await share(root);
    // Covers the last active super_admin, deleted by itself and by a lower rank.
    const responses = [
      await deleteUser(root, root.id, ann.id),
      await deleteUser(admin, root.id, ann.id),
    ];
    expect(responses.map(({ status }) => status)).toEqual([409, 403]);
    expect(await own(root)).toEqual({ ids: [id], total: 1 });
    expect(await own(ann)).toEqual({ ids: [], total: 0 });
    expect((await deleteUser(admin, 1, ann.id)).status).toBe(404);
  });
});

describe('shares of an inactive user', () => {
  it('close while the user is suspended and open again afterwards', async () => {
    const admin = await newUserOf('admin');
    const bob = await newPerson();
    const id = await share(bob, { viewLimit: 2, password: 'Abc123' });
    const status = async () => (await open(id, 'Abc123')).status;
    await setStatus(admin, bob.id, 'suspended');
    const { status: gone, body } = await open(id, 'Abc123');
    expect({ gone, body }).toEqual({
      gone: 410,
      body: errorBody('GONE', 'This share has ended.'),
    });
    const page = await call('GET /s/{id}', { params: { id } });
    expect(page.status).toBe(410);
    await setStatus(admin, bob.id, 'inactive');
    expect(await status()).toBe(200);
    await setStatus(admin, bob.id, 'suspended');
    expect(await status()).toBe(410);
    await setStatus(admin, bob.id, 'active');
    expect((await open(id, 'Abc123')).body).toMatchObject({ views: 2, viewsLeft: 0 });
  });
});
