import { beforeEach, describe, expect, it, vi } from 'vitest';
import { reconcileUser } from '../../../functions/api/users/reconcile.ts';
import { removeLeft } from '../../../functions/api/users/record/left-accounts.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { passingErrors, secretWords } from '../../support/aws/errors.ts';
import { failConditions, type Sent, useMockedService } from '../../support/aws/mocked-service.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { changeUser, createUser, deleteUser } from '../../support/users/administration.ts';
import { leave } from '../../support/users/leaving.ts';
import { newInvitationToken } from '../../support/users/links.ts';
import { changeRole, createRole, deleteRole, newRole } from '../../support/users/roles.ts';
import { newEmail, newPerson, register } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');
const service = useMockedService();
const { watch } = service;

const { root, bob } = useNewPeople({ root: 'super_admin', bob: newPerson });

const create = (body: object) => createUser(root, body);
const change = (body: object, headers = {}) => changeUser(root, bob.id, body, headers);
const remove = () => deleteUser(root, bob.id);

const emailTaken = { field: 'email', message: 'is already registered' };
const usernameTaken = { field: 'username', message: 'is already taken' };

describe('a taken unique key', () => {
  it.each([
    [/^Put EMAIL#/, emailTaken],
    [/^Put USERNAME#/, usernameTaken],
    [/^Put (EMAIL|USERNAME)#/, emailTaken],
  ])('names its field: %s', async (taken, detail) => {
    const fields = { email: newEmail(), username: 'eve' };
    for (const send of [() => create(fields), () => change(fields)]) {
      const { result } = await watch(send, failConditions(taken));
      expect(result).toMatchObject({ status: 409, body: { error: { details: [detail] } } });
    }
  });

  it.each(['USERNAME', 'USER'])('is replaced if it is a derived %s', async (taken) => {
    const fail = failConditions(new RegExp(`^Put ${taken}#\\S+ ${taken}$`), { times: 1 });
    const { result } = await watch(() => create({ email: 'eve@example.com' }), fail);
    expect(result).toMatchObject({ status: 201 });
    expect(result.body.data.username).toMatch(/^eve-\d+$/);
  });

  it('is read again if the user has changed too', async () => {
    const fail = failConditions(new RegExp(`^(Update USER#${bob.id} USER|Put EMAIL#)`), {
      times: 1,
    });
    expect((await watch(() => change({ email: newEmail() }), fail)).result.status).toBe(200);
  });
});

describe('DELETE /api/users/me', () => {
  const send = () => leave(root.token);

  it('keeps the last super_admin', async () => {
    const { result } = await watch(send, failConditions(/ SUPER_ADMINS /));
    expect(result.status).toBe(409);
  });

  it('is refused if all sessions have ended concurrently', async () => {
    const first = () => service.items.change(`USER#${root.id}`, 'USER', { sessionEpoch: 9 });
    const fail = failConditions(/^Update USER#\d+ USER$/, { times: 1, first });
    expect((await watch(send, fail)).result.status).toBe(401);
  });

  it('keeps the date that a concurrent request has set', async () => {
    const deletesAt = '2026-11-25T00:00:00.000Z';
    const first = () => service.items.change(`USER#${root.id}`, 'USER', { deletesAt });
    const fail = failConditions(/^Update USER#\d+ USER$/, { times: 1, first });
    const { result } = await watch(send, fail);
    expect([result.status, result.body.data.deletesAt]).toEqual([200, deletesAt]);
  });
});

describe('removeLeft', () => {
  const remove = async (deletesAt: string | undefined) => {
    service.items.change(`USER#${bob.id}`, 'USER', { deletesAt });
    return watch(() => removeLeft(bob.id));
  };
  const deletes = ({ sent }: { readonly sent: readonly Sent[] }) =>
    sent.filter(({ name }) => name.startsWith('Transact')).length;

  it('deletes whose time has come, and nobody else', async () => {
    expect(deletes(await remove(undefined))).toBe(0);
    expect(deletes(await remove('2026-11-21T12:00:00.001Z'))).toBe(0);
    expect(deletes(await remove('2026-11-21T12:00:00.000Z'))).toBe(1);
  });

  it('keeps who was kept concurrently', async () => {
    service.items.change(`USER#${bob.id}`, 'USER', { deletesAt: '2026-11-21T12:00:00.000Z' });
    const first = () => service.items.change(`USER#${bob.id}`, 'USER', { deletesAt: undefined });
    const fail = failConditions(/^Delete USER#\d+ USER$/, { times: 1, first });
    expect(deletes(await watch(() => removeLeft(bob.id), fail))).toBe(1);
  });

  it('fails with the table', async () => {
    service.items.change(`USER#${bob.id}`, 'USER', { deletesAt: '2026-11-21T12:00:00.000Z' });
    const failed = passingErrors()[0]?.[1];
    const acted = watch(
      () => removeLeft(bob.id),
      ({ name }) => (name.startsWith('Transact') ? failed : undefined),
    );
    await expect(acted).rejects.toBeDefined();
  });
});

describe('the last super_admin', () => {
  it.each(['PUT', 'DELETE'])('remains: %s', async (method) => {
    const send = () =>
      call(`${method} /api/users/{id}`, {
        token: root.token,
        params: { id: String(root.id) },
        ...(method === 'PUT' && { body: { role: 'admin' } }),
      });
    const { result } = await watch(send, failConditions(/ SUPER_ADMINS /));
    expect([result.status, result.body.error.message]).toEqual([
      409,
      'The last active super_admin can’t be removed. Add another first.',
    ]);
  });
});

describe('a role', () => {
  it('is created again over those of others, and not if its name has users', async () => {
    const first = () =>
      service.items.write({
        Item: { pk: 'ROLES', sk: 'ALL', roles: [], version: 3 },
      });
    const again = await watch(
      () => createRole(root, ['audit:view']),
      failConditions(/^Put ROLES ALL$/, { times: 1, first }),
    );
    expect(again.result).toMatchObject({ status: 201 });
    expect(service.items.find(({ pk, sk }) => pk === 'ROLES' && sk === 'ALL')).toMatchObject({
      version: 4,
    });
    const used = await watch(() => createRole(root, []), failConditions(/^Put ROLES USERS#/));
    expect(used.result).toMatchObject({ status: 409 });
  });

  it('is neither deleted nor given to a user once the other was first', async () => {
    const name = await newRole(root, ['audit:view']);
    const deleted = await watch(
      () => deleteRole(root, name),
      failConditions(/^Delete ROLES USERS#/),
    );
    expect(deleted.result).toMatchObject({ status: 409 });
    for (const send of [() => create({ role: name }), () => change({ role: name })]) {
      const { result } = await watch(send, failConditions(/^Update ROLES USERS#/));
      expect(result).toMatchObject({
        status: 400,
        body: {
          error: {
            details: [{ field: 'role', message: 'has just been deleted; choose another' }],
          },
        },
      });
    }
  });

  it('is compared with If-Match after reading again', async () => {
    const name = await newRole(root, ['audit:view']);
    const first = () => {
      const all = service.items.find(({ pk, sk }) => pk === 'ROLES' && sk === 'ALL');
      const { roles: stored = [] } = all ?? {};
      const roles = (stored as object[]).map((one) => ({ ...one, version: 7 }));
      service.items.change('ROLES', 'ALL', { roles, version: 9 });
    };
    const { result } = await watch(
      () => changeRole(root, name, { permissions: [] }, { 'if-match': '"1"' }),
      failConditions(/^Put ROLES ALL$/, { times: 1, first }),
    );
    expect(result.status).toBe(412);
  });
});

describe('a concurrent change', () => {
  it('is compared with If-Match after reading again', async () => {
    const { version } = service.items.find(({ id }) => id === bob.id) ?? {};
    const first = () => service.items.change(`USER#${bob.id}`, 'USER', { version: 9 });
    const { result } = await watch(
      () => change({ phone: '030 1' }, { 'if-match': `"${version}-abcdefgh"` }),
      failConditions(/^Update USER#\d+ USER$/, { times: 1, first }),
    );
    expect(result.status).toBe(412);
  });

  it('returns 404 if it deletes the user', async () => {
    const first = () => service.items.write({ Key: { pk: `USER#${bob.id}`, sk: 'USER' } });
    const { result } = await watch(remove, failConditions(/^Delete USER#\d+ USER$/, { first }));
    expect(result.status).toBe(404);
  });
});

describe('DELETE /api/users/{id}', () => {
  it('succeeds once the user is deleted, and logs that data remains', async () => {
    const warn = vi.spyOn(getLogger(), 'warn');
    const { result } = await watch(remove, ({ name }) =>
      name === 'Query' ? passingErrors()[0]?.[1] : undefined,
    );
    expect(result.body).toEqual({
      success: true,
      data: { id: bob.id, pending: true },
      message: 'Deleted',
    });
    expect(warn).toHaveBeenCalledOnce();
    for (const word of secretWords) expect(JSON.stringify(warn.mock.calls)).not.toContain(word);
    warn.mockRestore();
  });
});

describe('an invitation', () => {
  const accept = async (first: (id: number) => void) => {
    const email = newEmail();
    const { id } = (await create({ email })).body.data;
    const token = await newInvitationToken(id);
    return watch(
      () => register(email, { name: 'Zoe', token }),
      failConditions(/^Update USER#/, { times: 1, first: () => first(id) }),
    );
  };

  it('keeps a concurrent change of the account', async () => {
    const { result } = await accept((id) =>
      service.items.change(`USER#${id}`, 'USER', { phone: '030 12', version: 7 }),
    );
    expect(result).toMatchObject({ status: 201, body: { user: { phone: '030 12', version: 8 } } });
  });

  it('is rejected if its link was used concurrently', async () => {
    const { result } = await accept((id) =>
      service.items.change(`USER#${id}`, 'USER', { passwordTokenHash: 'x', passwordHash: 'y' }),
    );
    expect(result.status).toBe(400);
  });
});

describe('reconcileUser', () => {
  const batches = (sent: readonly Sent[]) => sent.filter(({ name }) => name === 'BatchWrite');
  beforeEach(() => {
    service.items.write({ Key: { pk: `USER#${bob.id}`, sk: 'USER' } });
  });
  /** Leaves the last item of each batch, or of the first, unprocessed. */
  const reconcile = (times: number) => {
    let left = times;
    service.respond('BatchWrite', ({ RequestItems }) => {
      const [[table, requests] = ['', []]] = Object.entries<object[]>(RequestItems);
      return left-- > 0 ? { UnprocessedItems: { [table]: requests.slice(-1) } } : {};
    });
    return watch(() => reconcileUser({ userId: bob.id }));
  };

  it('sends unprocessed keys again', async () => {
    const { sent } = await reconcile(1);
    const [first, second, ...more] = batches(sent).map(({ input }) =>
      Object.values(input.RequestItems),
    );
    expect([first?.flat().at(-1), more]).toEqual([second?.flat()[0], []]);
  });

  it('leaves keys that stay unprocessed to a job', async () => {
    const { sent } = await reconcile(99);
    const [{ input: { MessageBody = '{}' } = {} } = {}] = sent.filter(
      ({ name }) => name === 'SendMessage',
    );
    expect(JSON.parse(MessageBody)).toMatchObject({
      kind: 'reconcile-user',
      data: { userId: bob.id },
    });
  });

  it('keeps what it could not read', async () => {
    const act = () => reconcileUser({ userId: bob.id });
    const failed = passingErrors()[0]?.[1];
    const acted = watch(act, ({ name, input }) =>
      name === 'Query' && input.ExpressionAttributeValues[':prefix'] === 'SHARE#'
        ? failed
        : undefined,
    );
    await expect(acted).rejects.toBe(failed);
    expect(batches(service.sent)).toEqual([]);
    expect(service.sent.filter(({ name }) => name === 'Query').length).toBeGreaterThan(5);
  });
});
