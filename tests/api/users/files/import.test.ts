import { afterEach, describe, expect, it, vi } from 'vitest';
import { lambdaContext } from '../../../../infra/local/lambda-context.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { type Answer, call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { useMail, whileMailIsOn } from '../../../support/service/mail.ts';
import { useTable } from '../../../support/table/table.ts';
import { createUser, readUser } from '../../../support/users/administration.ts';
import { newEmail, newUserOf } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();
useJobs();
useMail();

const { admin, root } = usePeople({ admin: 'admin', root: 'super_admin' });

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

type Row = Readonly<Record<string, unknown>>;

const send = (users: readonly Row[], more: object = {}, { token } = admin): Promise<Answer> =>
  call('POST /api/users/import', { token, body: { users, ...more } });

const linesOf = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.lines;
};

const newRow = (more: Row = {}) => ({ email: newEmail(), name: 'Zoe Zed', ...more });

describe('POST /api/users/import', () => {
  it('creates users with what their lines say, each audited by itself', async () => {
    const rows = [
      newRow({ role: 'guest', permissions: 'documents:view, files:*', phone: '+49 30 123456' }),
      newRow({ line: 17, timezone: 'Europe/Berlin', status: 'inactive', role: ' ' }),
    ];
    const answer = await send(rows);
    const lines = linesOf(answer);
    expect(answer.body.data).toMatchObject({ dryRun: false, counts: { created: 2, invalid: 0 } });
    expect(lines).toMatchObject([
      { line: 1, email: rows[0]?.email, result: 'created', problems: [] },
      { line: 17, result: 'created' },
    ]);
    expect((await readUser(admin, lines[0].id)).body.data).toMatchObject({
      role: 'guest',
      permissions: ['dashboard:view', 'documents:view', 'files:*'],
      phone: '+49 30 123456',
      invited: true,
    });
    expect((await readUser(admin, lines[1].id)).body.data).toMatchObject({
      role: 'user',
      status: 'inactive',
      timezone: 'Europe/Berlin',
    });
    for (const { id } of lines) {
      expect(await entriesAbout(`user:${id}`)).toMatchObject([
        { action: 'user.create', actorId: admin.id, requestId: answer.headers['x-request-id'] },
      ]);
    }
  });

  it('has links for active users while email is off, and sends emails while it is on', async () => {
    vi.stubEnv('MAIL_FROM', undefined);
    const [active, inactive] = linesOf(await send([newRow(), newRow({ status: 'inactive' })]));
    expect(active.link).toMatch(/\/invite\?token=/);
    expect(inactive.link).toBeUndefined();
    const [emailed] = await whileMailIsOn(async () => linesOf(await send([newRow()])));
    expect(emailed).toMatchObject({ result: 'created' });
    expect(emailed.link).toBeUndefined();
  });

  it('changes nothing when it is sent again, and says who exists', async () => {
    const rows = [newRow(), newRow({ email: newEmail().toUpperCase() })];
    const [first, second] = linesOf(await send(rows));
    const again = linesOf(
      await send([{ ...rows[0], name: 'Another', role: 'admin' }, rows[1] ?? {}]),
    );
    expect(again).toMatchObject([
      { result: 'exists', id: first.id },
      { result: 'exists', id: second.id },
    ]);
    expect((await readUser(admin, first.id)).body.data).toMatchObject({
      name: 'Zoe Zed',
      version: 1,
    });
  });

  it('tells no ids to who may not view users, and in a dry run not who exists', async () => {
    const { body: existing } = await createUser(admin);
    const creator = await newUserOf('user', { extraPermissions: ['users:create'] });
    const rows = [{ email: existing.data.email, name: 'Bob' }, { name: 'No Address' }];
    expect(linesOf(await send(rows, {}, creator))).toMatchObject([
      { result: 'exists', id: null },
      { result: 'invalid' },
    ]);
    expect(linesOf(await send(rows, { dryRun: true }, creator))).toMatchObject([
      { result: 'new', id: null, problems: [] },
      { result: 'invalid' },
    ]);
  });

  it('creates nothing in a dry run, and says what would be', async () => {
    const { body: existing } = await createUser(admin);
    const fresh = newRow();
    const answer = await send([fresh, { email: existing.data.email, name: 'Bob' }], {
      dryRun: true,
    });
    expect(linesOf(answer)).toMatchObject([
      { line: 1, result: 'new', id: null },
      { line: 2, result: 'exists', id: existing.data.id },
    ]);
    expect(linesOf(await send([fresh], { dryRun: true }))).toMatchObject([{ result: 'new' }]);
  });

  it.each([false, true])(
    'says what is wrong with each line by field (dry run: %s)',
    async (dryRun) => {
      const { body: existing } = await createUser(admin, { username: `taken-${dryRun}` });
      const twice = newRow();
      const rows = [
        { name: 'No Address' },
        newRow({ email: 'no address', name: 'X' }),
        newRow({ role: 'nobody' }),
        newRow({ role: 'super_admin' }),
        newRow({ permissions: 'files:fly' }),
        newRow({ permissions: 'settings:update' }),
        newRow({ username: existing.data.username.toUpperCase() }),
        newRow({ timezone: 'Mars', status: 'asleep' }),
        twice,
        { ...twice, email: twice.email.toUpperCase() },
      ];
      const lines = linesOf(await send(rows, { dryRun }));
      const problems = lines.map((line: { problems: { field: string; message: string }[] }) =>
        line.problems.map(({ field, message }) => `${field} ${message}`),
      );
      expect(problems).toEqual([
        ['email is required'],
        ['email must be a valid email address', 'name must be at least 2 characters'],
        [expect.stringMatching(/^role must be one of super_admin, admin/)],
        ['role Only super_admin users can grant the role super_admin.'],
        ['permissions must be a permission, for example users:view, users:* or *'],
        ['permissions You can’t grant settings:update because you don’t have it.'],
        ['username is already taken'],
        [expect.stringMatching(/^status must be one of/), expect.stringMatching(/^timezone /)],
        [],
        ['email is already on line 9'],
      ]);
      expect(lines.map(({ result }: { result: string }) => result)).toEqual([
        ...Array(8).fill('invalid'),
        dryRun ? 'new' : 'created',
        'invalid',
      ]);
    },
  );

  it('takes addresses of ALLOWED_DOMAINS only', async () => {
    vi.stubEnv('ALLOWED_DOMAINS', 'example.org');
    const rows = [newRow({ email: 'ann@example.org' }), newRow({ email: 'ann@example.net' })];
    expect(linesOf(await send(rows, { dryRun: true }))).toMatchObject([
      { result: 'new' },
      { problems: [{ field: 'email', message: 'must be an address at example.org' }] },
    ]);
  });

  it('takes users:create, and grants no more than the caller has', async () => {
    const user = await newUserOf('user');
    expect((await send([newRow()], {}, user)).status).toBe(403);
    const creator = await newUserOf('user', { extraPermissions: ['users:create'] });
    const lines = linesOf(await send([newRow(), newRow({ role: 'admin' })], {}, creator));
    expect(lines).toMatchObject([{ result: 'created' }, { result: 'invalid' }]);
    expect(linesOf(await send([newRow({ role: 'super_admin' })], {}, root))).toMatchObject([
      { result: 'created' },
    ]);
  });

  it('refuses more than 500 users, and bodies that are none', async () => {
    const many = Array.from({ length: 501 }, () => ({}));
    expect((await send(many)).body.error.details[0].field).toBe('users');
    expect((await send([])).body.error.details[0].field).toBe('users');
  });

  it('leaves what it has no time for, which can be sent again', async () => {
    const rows = [newRow(), newRow()];
    const late = { ...lambdaContext('late', 0), getRemainingTimeInMillis: () => 5_000 };
    const { runWithin } = await import('../../../../shared/runtime/time-left.ts');
    const { importUsers } = await import('../../../../functions/api/users/import-users.ts');
    const { find } = await import('../../../../functions/api/users/record/users.ts');
    const user = await find(admin.id);
    const actor = { user, permissions: ['users:*'], sessionId: 'x', isLimited: false } as never;
    const lines = await runWithin(late, () => importUsers(actor, rows, false, {} as never));
    expect(lines).toMatchObject([{ result: 'left' }, { result: 'left' }]);
    expect(linesOf(await send(rows))).toMatchObject([{ result: 'created' }, { result: 'created' }]);
  });
});

describe('POST /api/users/import with CSV', () => {
  const sendCsv = (
    body: string | Uint8Array,
    query: Record<string, string> = {},
    type = 'text/csv',
  ) =>
    call('POST /api/users/import', {
      token: admin.token,
      query,
      body,
      headers: { 'content-type': type },
    });

  it('reads semicolons, names of columns in any form, marks of exports, and other encodings', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const csv = `\ufeffE-Mail;NAME;Time_Zone;Notes\r\n${one};"'=Zoe";Europe/Paris;x\r\n\r\n${two};Jürgen;;\r\n`;
    const lines = linesOf(await sendCsv(csv));
    expect(lines).toMatchObject([
      { line: 2, result: 'created' },
      { line: 4, result: 'created' },
    ]);
    expect((await readUser(admin, lines[0].id)).body.data).toMatchObject({
      name: '=Zoe',
      timezone: 'Europe/Paris',
    });
    const western = Buffer.from(`email,name\n${newEmail()},Jürgen\n`, 'latin1');
    const [read] = linesOf(await sendCsv(new Uint8Array(western)));
    expect((await readUser(admin, read.id)).body.data.name).toBe('Jürgen');
  });

  it('takes dryRun in the query', async () => {
    const answer = await sendCsv(`email,name\n${newEmail()},Zoe\n`, { dryRun: 'true' });
    expect(answer.body.data).toMatchObject({ dryRun: true, counts: { new: 1, created: 0 } });
  });

  it('is refused as a whole if columns are missing or lines can’t be read', async () => {
    expect((await sendCsv('mail;name\nx;y\n')).body.error.details).toEqual([
      { field: 'email', message: 'must be the name of a column of the first line' },
    ]);
    const broken = await sendCsv(`email,name\n${newEmail()},"Zoe\n${newEmail()},Ann,x\n`);
    expect(broken.body.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'line 2',
      'line 3',
    ]);
    const long = `email,name\n${'a@b.test,Ann\n'.repeat(501)}`;
    expect((await sendCsv(long)).body.error.details[0].message).toContain('more than 500 lines');
    expect((await sendCsv(new Uint8Array([0, 1, 2]))).body.error.details[0].field).toBe('body');
  });

  it('brings back what an export took out', async () => {
    const rows = [newRow({ permissions: 'documents:create' }), newRow({ role: 'guest' })];
    linesOf(await send(rows));
    const query = { search: rows[0]?.email.split('@')[0] ?? '' };
    const { body } = await call('GET /api/users/export', { token: admin.token, query });
    expect(linesOf(await sendCsv(body, { dryRun: 'true' }))).toMatchObject([
      { email: rows[0]?.email, result: 'exists' },
    ]);
    const moved = body.replace(rows[0]?.email, newEmail()).replace(',username,', ',ignored,');
    const [line] = linesOf(await sendCsv(moved));
    expect((await readUser(admin, line.id)).body.data.permissions.toSorted()).toEqual([
      ...['calendar:view', 'documents:create', 'documents:view', 'files:view', 'messages:view'],
    ]);
  });
});
