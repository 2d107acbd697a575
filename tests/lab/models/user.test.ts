import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { deleteUser, updateUser } from '../../../functions/api/users/administration.ts';
import { find, load, type UserFilter } from '../../../functions/api/users/list.ts';
import { createUser } from '../../../functions/api/users/new-user.ts';
import { accountKeys } from '../../../functions/api/users/record/keys.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { type StoredUser, statuses } from '../../../shared/auth/user.ts';
import { batchGet, documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { type Role, roles } from '../../../shared/permissions/permissions.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { compareNames } from '../../../shared/text/sort-name.ts';
import fc from '../../support/run/properties.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { login, newEmail } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

/** A super_admin outside the table, so that any stored user can be deleted. */
const actor = { user: { id: 0, role: 'super_admin' }, permissions: ['*'] } as unknown as Actor;
const change = systemRecorder('user.test');

const emails = ['ann@a.test', 'bob@a.test', 'eve@b.test', 'zoe.quill@b.test', 'ann.bee@c.test'];
const usernames = ['ann', 'bob', 'q-1', 'q-2', 'zoe.q'];
const names = ['Ann Bee', 'Bob Bee', 'Émile', '中村 Ann', 'Eve-Marie Quill'];
const searches = ['a', 'ann', 'BEE', 'ann bee', 'q', 'quill zoe', 'é', '中', 'test', 'b a', 'x'];

const Details = fc.record({
  email: fc.constantFrom(...emails),
  username: fc.constantFrom(...usernames, 'Ann', 'Zoe.Q'),
  name: fc.constantFrom(...names),
  role: fc.constantFrom(...roles),
  status: fc.constantFrom(...statuses),
});
type Details = typeof Details extends fc.Arbitrary<infer T> ? T : never;

type Operation =
  | { readonly kind: 'create'; readonly details: Details }
  | { readonly kind: 'update'; readonly target: number; readonly details: Partial<Details> }
  | { readonly kind: 'delete'; readonly target: number };

const target = fc.nat(7);
const Change = fc.oneof(
  Details.map(({ email }) => ({ email })),
  Details.map(({ username }) => ({ username })),
  Details.map(({ name }) => ({ name })),
  fc.constantFrom(...statuses).map((status) => ({ status })),
  fc.constantFrom(...roles).map((role) => ({ role })),
  Details,
);
const Operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), details: Details }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('update' as const), target, details: Change }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), target }) },
);

/** The expected users by id. */
type Model = Map<number, Details>;

const isActiveSuperAdmin = ({ role, status }: Details) =>
  role === 'super_admin' && status === 'active';
const idAt = (model: Model, at: number): number => [...model.keys()][at % model.size] ?? 0;

/** Returns the model after the operation, or the field or word that the error must name. */
const expected = (model: Model, operation: Operation, newId: number): Model | string => {
  const after: Model = new Map(model);
  const id = operation.kind === 'create' ? newId : idAt(model, operation.target);
  if (operation.kind === 'delete') after.delete(id);
  else after.set(id, { ...(model.get(id) as Details), ...operation.details });
  const { email, username } = after.get(id) ?? {};
  for (const [other, details] of model) {
    if (other !== id && details.email === email) return 'email';
  }
  for (const [other, details] of model) {
    if (other !== id && details.username.toLowerCase() === username?.toLowerCase()) {
      return 'username';
    }
  }
  return [...after.values()].some(isActiveSuperAdmin) ? after : 'super_admin';
};

const run = (operation: Operation, id: number): Promise<StoredUser | undefined> => {
  if (operation.kind === 'create') {
    const { details } = operation;
    // A password avoids the link, which would be another write.
    return createUser(actor, { ...details, password: 'correct horse' }, change).then(
      ({ user }) => user,
    );
  }
  if (operation.kind === 'update')
    return updateUser(actor, id, operation.details, undefined, change);
  return deleteUser(actor, id, undefined, undefined, change).then(() => undefined);
};

/** Returns the subject of an expected error and throws any other. */
const aboutWhat = (reason: unknown): string => {
  if (!(reason instanceof AppError)) throw reason;
  if (reason.code === 'NOT_FOUND') return 'gone';
  expect(reason.code).toBe('CONFLICT');
  return reason.details[0]?.field ?? 'super_admin';
};

const detailsOf = ({ email, username, name, role, status }: StoredUser): Details => ({
  email,
  username,
  name,
  role: role as Role,
  status,
});

const wordsIn = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\u0301/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word);
const isFound = ({ name, username, email }: Details, search: string) =>
  wordsIn(search).every((asked) =>
    wordsIn(`${name} ${username} ${email}`).some((word) => word.startsWith(asked)),
  );

const list = async (...args: Parameters<typeof find>) => load(await find(...args));

const rights = roles.flatMap((role) => statuses.map((status) => ({ role, status })));

/** Checks every list, search, total and unique key against the model. */
const verify = async (model: Model): Promise<void> => {
  const newestFirst = [...model].toSorted(([a], [b]) => b - a);
  const idsOf = async (filter: Omit<UserFilter, 'sort'>) => {
    const { items, total, totalIsExact } = await list(
      1,
      { ...filter, sort: 'createdAt' },
      { pageSize: 100 },
    );
    return { ids: items.map(({ id }) => id), total, totalIsExact };
  };
  const those = (has: (details: Details) => boolean) => {
    const ids = newestFirst.filter(([, details]) => has(details)).map(([id]) => id);
    return { ids, total: ids.length, totalIsExact: true };
  };
  const all = [...model];
  const [byName, markers, ...found] = await Promise.all([
    list(1, { sort: 'name' }, { pageSize: 100 }),
    batchGet([
      ...emails.map((email) => accountKeys.email.at({ email })),
      ...usernames.map((username) => accountKeys.username.at({ username })),
      accountKeys.superAdmins.at(),
    ]),
    idsOf({}),
    ...roles.map((role) => idsOf({ role })),
    ...statuses.map((status) => idsOf({ status })),
    ...rights.map((one) => idsOf(one)),
    ...searches.map((search) => idsOf({ search })),
  ]);
  expect(found).toEqual([
    those(() => true),
    ...roles.map((role) => those((details) => details.role === role)),
    ...statuses.map((status) => those((details) => details.status === status)),
    ...rights.map(({ role, status }) =>
      those((details) => details.role === role && details.status === status),
    ),
    ...searches.map((search) => those((details) => isFound(details, search))),
  ]);
  const { items } = byName;
  expect(items.map(({ id }) => id)).toEqual(
    all
      .toSorted(([a, one], [b, other]) => compareNames(one.name, other.name) || a - b)
      .map(([id]) => id),
  );
  expect(new Map(items.map((user) => [user.id, detailsOf(user)]))).toEqual(model);
  const owner = (has: (details: Details) => boolean) => all.find(([, one]) => has(one))?.[0];
  const active = all.filter(([, details]) => isActiveSuperAdmin(details)).length;
  expect(active).toBeGreaterThanOrEqual(1);
  expect(markers.map((item) => item?.['userId'] ?? item?.['active'])).toEqual([
    ...emails.map((email) => owner((one) => one.email === email)),
    ...usernames.map((name) => owner((one) => one.username.toLowerCase() === name)),
    active,
  ]);
};

/** One or more concurrent operations. */
class AtOnce implements fc.AsyncCommand<{ users: Model }, object> {
  readonly operations: readonly Operation[];

  constructor(operations: readonly Operation[]) {
    this.operations = operations;
  }

  check = () => true;

  toString = () => JSON.stringify(this.operations);

  async run(model: { users: Model }): Promise<void> {
    const before = model.users;
    const ids = this.operations.map((one) => ('target' in one ? idAt(before, one.target) : 0));
    const outcomes = await Promise.allSettled(
      this.operations.map((one, at) => run(one, ids[at] ?? 0)),
    );
    if (outcomes.length === 1) this.checkOne(before, outcomes[0]);
    model.users = this.after(before, ids, outcomes);
    await verify(model.users);
  }

  /** Checks that a single operation matches the model. */
  checkOne(before: Model, outcome: PromiseSettledResult<StoredUser | undefined> | undefined) {
    const [operation] = this.operations;
    if (!operation || !outcome) return;
    const wanted = expected(before, operation, Number.MAX_SAFE_INTEGER);
    const got = outcome.status === 'rejected' ? aboutWhat(outcome.reason) : 'done';
    expect(got).toBe(typeof wanted === 'string' ? wanted : 'done');
  }

  /** Applies the successful operations to the model, changes of one user in the order of their versions. */
  after(
    before: Model,
    ids: readonly number[],
    outcomes: readonly PromiseSettledResult<StoredUser | undefined>[],
  ): Model {
    const users: Model = new Map(before);
    const written = outcomes.flatMap((one) =>
      one.status === 'fulfilled' ? (one.value ?? []) : [],
    );
    for (const user of written.toSorted((a, b) => a.version - b.version)) {
      users.set(user.id, detailsOf(user));
    }
    for (const [at, outcome] of outcomes.entries()) {
      const isDelete = this.operations[at]?.kind === 'delete';
      if (isDelete && outcome.status === 'fulfilled') users.delete(ids[at] ?? 0);
      if (outcome.status === 'rejected') this.checkReason(aboutWhat(outcome.reason), before, at);
    }
    return users;
  }

  /** Checks that a rejected name was taken or requested concurrently. */
  checkReason(reason: string, before: Model, at: number): void {
    const asked = this.operations[at];
    const others = this.operations.filter((_, other) => other !== at);
    const rivals = [
      ...before.values(),
      ...others.map((one) => ('details' in one ? one.details : {})),
    ];
    const details: Partial<Details> = asked && 'details' in asked ? asked.details : {};
    if (reason === 'email') expect(rivals.map(({ email }) => email)).toContain(details.email);
    if (reason === 'username') {
      expect(rivals.map(({ username }) => username?.toLowerCase())).toContain(
        details.username?.toLowerCase(),
      );
    }
    if (reason === 'gone') expect(others.map(({ kind }) => kind)).toContain('delete');
  }
}

const emptyTable = async (): Promise<void> => {
  const client = documentClient();
  const { Items = [] } = await client.send(new ScanCommand({ TableName: tableName() }));
  for (let at = 0; at < Items.length; at += 25) {
    const batch = Items.slice(at, at + 25).map(({ pk, sk }) => ({
      DeleteRequest: { Key: { pk, sk } },
    }));
    await client.send(new BatchWriteCommand({ RequestItems: { [tableName()]: batch } }));
  }
};

const root: Details = {
  email: 'root@a.test',
  username: 'root',
  name: 'The Root',
  role: 'super_admin',
  status: 'active',
};

describe('users under operations in any order', () => {
  const concurrency = (maxLength: number) =>
    fc.array(Operation, { minLength: 1, maxLength }).map((operations) => new AtOnce(operations));
  const runsOf = (commands: fc.Arbitrary<AtOnce>) => fc.commands([commands], { maxCommands: 10 });
  const check = async (commands: Iterable<fc.AsyncCommand<{ users: Model }, object>>) => {
    await emptyTable();
    const { user } = await createUser(actor, { ...root, password: 'correct horse' }, change);
    const setup = () => ({ model: { users: new Map([[user.id, root]]) }, real: {} });
    await fc.asyncModelRun(setup, commands);
  };

  // Leaves time for shrinking; an interrupted run would continue during the next test.
  const bounds = { numRuns: 12, interruptAfterTimeLimit: 15_000 };

  it('match the model sequentially', async () => {
    await fc.assert(fc.asyncProperty(runsOf(concurrency(1)), check), bounds);
  });

  it('agree with every list, total and unique key concurrently', async () => {
    await fc.assert(fc.asyncProperty(runsOf(concurrency(8)), check), bounds);
  });
});

describe('concurrent requests', () => {
  const { admin } = usePeople({ admin: 'super_admin' });

  const times = <Result>(count: number, make: (at: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, at) => make(at)));
  const create = (body: Record<string, unknown> = {}) =>
    call('POST /api/users', {
      token: admin.token,
      body: { email: newEmail(), name: 'Bob Example', password: 'correct horse', ...body },
    });
  const change = (id: number, body: unknown) =>
    call('PUT /api/users/{id}', { token: admin.token, params: { id: String(id) }, body });
  const remove = (id: number) =>
    call('DELETE /api/users/{id}', { token: admin.token, params: { id: String(id) } });
  const page = async (query: Readonly<Record<string, string>> = {}) =>
    (await call('GET /api/users', { token: admin.token, query: { pageSize: '7', ...query } })).body
      .data;
  /** Counts the responses of each status. */
  const tally = (responses: readonly Answer[]) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(responses, ({ status }) => status)).map(([status, those]) => [
        status,
        those?.length,
      ]),
    );

  it('create 60 users with unique ids, counted and listed once each', async () => {
    const { total } = await page();
    const responses = await times(60, () => create());
    expect(tally(responses)).toEqual({ 201: 60 });
    const ids = responses.map(({ body }) => body.data.id as number);
    expect(new Set(ids).size).toBe(60);
    for (const by of ['page', 'cursor']) {
      const listed: number[] = [];
      for (let at = 1, cursor = ''; cursor !== null; at++) {
        const data = await page(at === 1 ? {} : { [by]: by === 'page' ? String(at) : cursor });
        expect(data.total).toBe(total + 60);
        listed.push(...data.items.map(({ id }: { id: number }) => id));
        cursor = data.nextCursor;
      }
      expect(listed).toEqual(listed.toSorted((a, b) => b - a));
      expect(new Set(listed).size).toBe(total + 60);
      expect(listed).toEqual(expect.arrayContaining(ids));
    }
  });

  it('delete a user once in 50 attempts', async () => {
    const { id } = (await create()).body.data;
    const { total } = await page();
    expect(tally(await times(50, () => remove(id)))).toEqual({ 200: 1, 404: 49 });
    expect((await page()).total).toBe(total - 1);
  });

  it.each(['email', 'username'])('assign one %s to one of 20 new users', async (field) => {
    const value = field === 'email' ? newEmail() : `name-${Date.now()}`;
    const { total } = await page();
    const responses = await times(20, () => create({ [field]: value }));
    expect(tally(responses)).toEqual({ 201: 1, 409: 19 });
    for (const { status, body } of responses) {
      if (status === 409) expect(body.error.details[0].field).toBe(field);
    }
    expect((await page()).total).toBe(total + 1);
  });

  it('assign one address to one of 20 users who change to it', async () => {
    const made = await times(20, () => create());
    const people = made.map(({ body }) => body.data as { id: number; email: string });
    const email = newEmail();
    const responses = await Promise.all(people.map(({ id }) => change(id, { email })));
    expect(tally(responses)).toEqual({ 200: 1, 409: 19 });
    const winner = responses.findIndex(({ status }) => status === 200);
    expect((await login(email)).body.user.id).toBe(people[winner]?.id);
    for (const [at, person] of people.entries()) {
      expect((await login(person.email)).status).toBe(at === winner ? 401 : 200);
    }
  });

  it('free the old name and reserve the new one', async () => {
    for (const field of ['email', 'username']) {
      const make = () => (field === 'email' ? newEmail() : `n${Math.random()}`);
      const [old, fresh] = [make(), make()];
      const { id } = (await create({ [field]: old })).body.data;
      expect((await create({ [field]: old })).status).toBe(409);
      expect((await change(id, { [field]: fresh })).body.data[field]).toBe(fresh);
      expect((await create({ [field]: fresh.toUpperCase() })).status).toBe(409);
      expect((await create({ [field]: old })).status).toBe(201);
      expect((await change(id, { [field]: old })).status).toBe(409);
      const { status, body } = await change(id, { [field]: fresh.toUpperCase() });
      expect([status, body.data[field]]).toEqual([
        200,
        field === 'email' ? fresh : fresh.toUpperCase(),
      ]);
      expect((await remove(id)).status).toBe(200);
      expect((await create({ [field]: fresh })).status).toBe(201);
    }
  });

  it('apply each successful change of a user', async () => {
    const { id } = (await create()).body.data;
    const responses = await times(8, (at) => change(id, { phone: `030 ${at}00` }));
    expect(tally(responses)).toEqual({ 200: 8 });
    const versions = responses.map(({ body }) => body.data.version as number);
    expect(versions.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
