import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { removeUser } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { made, share } from '../../support/files/files.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { statusesOf, times, useLimitedService } from '../../support/service/limited-service.ts';
import { meterAws } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { newInvited, newUserOf, type Person, writing } from '../../support/users/test-users.ts';

useTable();
useBucket();
useJobs();
afterEach(() => vi.unstubAllEnvs());

type Mode = 'members' | 'exact' | 'off';
const directoryIs = (mode: Mode) => vi.stubEnv('DIRECTORY', mode);

let caller: Person;
let admin: Person;
let zoe: StoredUser;

beforeAll(async () => {
  const extraPermissions = [...writing('documents', 'calendar', 'files'), 'messages:create'];
  caller = await newUserOf('user', { extraPermissions, name: 'Kim Caller' });
  admin = await newUserOf('admin', { name: 'The Admin' });
  zoe = await newInvited({
    name: 'Zoë Ångström',
    email: 'zoe@lab.test',
    username: 'quokka',
    avatar: 'https://example.com/zoe.png',
  });
  await newInvited({ name: 'Zora Guest', email: 'zora@lab.test', role: 'guest' });
  for (const status of ['suspended', 'inactive'] as const) {
    await newInvited({ name: `Zoe ${status}`, email: `${status}@lab.test`, status });
  }
  const { id } = await newInvited({ name: 'Zoe Deleted', email: 'deleted@lab.test' });
  await removeUser(id, () => undefined, undefined, systemRecorder('user.delete'));
});

const search = (text: string, { token } = caller) =>
  call('GET /api/users/directory', { token, query: { search: text } });
const found = async (text: string, by?: Person) => (await search(text, by)).body.data;
const namesOf = async (text: string, by?: Person): Promise<string[]> =>
  (await found(text, by)).map(({ name }: { name: string }) => name);
const named = () => ({
  id: zoe.id,
  name: 'Zoë Ångström',
  email: 'zoe@lab.test',
  avatar: 'https://example.com/zoe.png',
});

describe('GET /api/users/directory with DIRECTORY=members', () => {
  it('finds active users of every role by starts of words of name and address', async () => {
    directoryIs('members');
    expect(await search('zoe ang')).toMatchObject({
      status: 200,
      body: { success: true, data: [named()] },
    });
    expect((await namesOf('lab zo')).toSorted()).toEqual(['Zora Guest', 'Zoë Ångström']);
    expect(await namesOf('ZOR')).toEqual(['Zora Guest']);
    expect(await found('zoe@lab.test')).toEqual([named()]);
  });

  it.each(['suspended', 'inactive', 'deleted@lab.test', 'quokka', 'oe', '', ' @ '])(
    'finds nobody by “%s”',
    async (text) => {
      directoryIs('members');
      expect(await found(text)).toEqual([]);
    },
  );

  it('makes the same requests whether or not someone is hidden', async () => {
    directoryIs('members');
    const meter = meterAws();
    const requestsOf = async (text: string) =>
      (await meter.measure(() => search(text))).requests.table;
    expect(await requestsOf('suspended')).toEqual(await requestsOf('nobody'));
    expect(await requestsOf('suspended@lab.test')).toEqual(await requestsOf('nobody@lab.test'));
    meter.stop();
  });

  it('shows 8 people, and finds one of many by a whole address', async () => {
    directoryIs('members');
    const many = Array.from({ length: 60 }, (_, at) =>
      newInvited({ name: 'Twin Crowd', email: `twin${at}@crowd.test` }),
    );
    await Promise.all(many);
    expect(await found('twin')).toHaveLength(8);
    expect(await found('crowd twin')).toHaveLength(8);
    expect((await found('twin59@crowd.test'))[0]).toMatchObject({ email: 'twin59@crowd.test' });
  });
});

describe('GET /api/users/directory with DIRECTORY=exact', () => {
  it('finds one active user by the whole address, in any case, without the name', async () => {
    directoryIs('exact');
    expect((await search(' Zoe@LAB.test ')).body).toEqual({
      success: true,
      data: [{ id: zoe.id, email: 'zoe@lab.test' }],
    });
    for (const text of ['zoe', 'zoe@lab', 'suspended@lab.test', 'deleted@lab.test']) {
      expect(await found(text), text).toEqual([]);
    }
  });

  it('is the default while anyone can register', async () => {
    vi.stubEnv('DIRECTORY', '');
    vi.stubEnv('REGISTRATION', 'open');
    expect(await found('zoe ang')).toEqual([]);
    for (const registration of ['invite', 'closed']) {
      vi.stubEnv('REGISTRATION', registration);
      expect(await found('zoe ang'), registration).toEqual([named()]);
    }
  });
});

describe('GET /api/users/directory with DIRECTORY=off', () => {
  it('says that nobody can be found', async () => {
    directoryIs('off');
    expect(await search('zoe@lab.test')).toMatchObject({
      status: 403,
      body: errorBody('FORBIDDEN', 'Finding people is off in this service. Send their ids.'),
    });
  });
});

describe('GET /api/users/directory', () => {
  it.each<Mode>(['members', 'exact', 'off'])(
    'finds names for holders of users:view with DIRECTORY=%s',
    async (mode) => {
      directoryIs(mode);
      expect(await found('zoe ang', admin)).toEqual([named()]);
    },
  );

  it('requires a search', async () => {
    const refused = async (query: Record<string, string>) => {
      const { status, body } = await call('GET /api/users/directory', {
        token: caller.token,
        query,
      });
      return [status, body.error.details.map(({ field }: { field: string }) => field)];
    };
    expect(await refused({})).toEqual([400, ['search']]);
    expect(await refused({ search: 'z'.repeat(201) })).toEqual([400, ['search']]);
  });

  describe('under its rate limit', () => {
    const { send } = useLimitedService();

    it('takes 60 searches a minute from a user', async () => {
      const [one, other] = [await newUserOf('user'), await newUserOf('user')];
      const ask = ({ token }: Person) => send('GET /api/users/directory?search=z', { token });
      expect(await statusesOf(61, () => ask(one))).toEqual([...times(60, 200), 429]);
      expect((await ask(other)).status).toBe(200);
    });
  });
});

describe('someone found by address', () => {
  it('gets documents, files, messages and invitations of a user who may not view users', async () => {
    directoryIs('exact');
    const [{ id }] = await found('zoe@lab.test');
    const { token } = caller;
    const make = async (endpoint: string, body: object, params = {}) => {
      const answer = await call(endpoint, { token, body, params });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      return answer.body.data;
    };
    const document = await make('POST /api/documents', { title: 'Plan', type: 'text' });
    const params = { id: String(document.id) };
    await make('POST /api/documents/{id}/share', { userIds: [id] }, params);
    const readers = await call('GET /api/documents/{id}/readers', { token, params });
    expect(readers.body.data).toMatchObject([{ id, name: 'Zoë Ångström' }]);
    expect((await share(caller, await made(caller), [id])).body.data.sharedWith).toEqual([id]);
    expect(await make('POST /api/messages', { recipients: [id], content: 'Hello' })).toMatchObject({
      to: [{ id, name: 'Zoë Ångström' }],
    });
    expect(
      await make('POST /api/calendar/events', {
        title: 'Talk',
        start: '2026-12-01T10:00:00Z',
        end: '2026-12-01T11:00:00Z',
        attendees: [id],
      }),
    ).toMatchObject({ attendees: [{ id, name: 'Zoë Ångström' }] });
  });
});
