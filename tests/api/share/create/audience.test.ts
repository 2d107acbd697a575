import { describe, expect, it, vi } from 'vitest';
import { call } from '../../../support/service/call.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { newEmail, newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();

const { ann, bob, eve } = usePeople({ ann: newPerson, bob: newPerson, eve: newPerson });
const hers = sharesOf(ann);

const withoutStrangers = () => vi.stubEnv('REGISTRATION', 'invite');

const read = async (id: string, token?: string): Promise<number> =>
  (await call('GET /api/share', { query: { id }, token })).status;

/** Requests the share of everyone, and returns who got it. */
const readers = async (id: string) => {
  const [nobody, owner, reader, other] = await Promise.all([
    read(id),
    read(id, ann.token),
    read(id, bob.token),
    read(id, eve.token),
  ]);
  return { nobody, owner, reader, other };
};

describe('who can open a share', () => {
  it('is anyone with its address by default', async () => {
    const id = await hers.newShare();
    expect(await readers(id)).toEqual({ nobody: 200, owner: 200, reader: 200, other: 200 });
    expect((await hers.look(id)).body).toMatchObject({ audience: 'link', readers: [] });
  });

  it('is people by id or address, with the names of the first read', async () => {
    const id = await hers.newShare({ readers: [bob.email.toUpperCase(), ann.id, bob.id] });
    expect(await readers(id)).toEqual({ nobody: 401, owner: 200, reader: 200, other: 404 });
    expect((await hers.look(id)).body).toMatchObject({
      audience: 'people',
      readers: [bob.id],
      readerList: [{ id: bob.id, name: 'Ann Example', avatar: null }],
    });
  });

  it('is members, where strangers can’t register', async () => {
    withoutStrangers();
    const id = await hers.newShare({ audience: 'members' });
    expect(await readers(id)).toEqual({ nobody: 401, owner: 200, reader: 200, other: 200 });
    vi.stubEnv('REGISTRATION', 'open');
    expect(await readers(id)).toEqual({ nobody: 401, owner: 200, reader: 404, other: 404 });
    vi.unstubAllEnvs();
  });

  it('is its owner alone', async () => {
    const id = await hers.newShare({ audience: 'private' });
    expect(await readers(id)).toEqual({ nobody: 401, owner: 200, reader: 404, other: 404 });
  });

  it('is narrowed by MAX_AUDIENCE, and what was stored comes back with it', async () => {
    const id = await hers.newShare();
    vi.stubEnv('MAX_AUDIENCE', 'people');
    expect(await readers(id)).toEqual({ nobody: 401, owner: 200, reader: 404, other: 404 });
    expect((await hers.look(id)).body.audience).toBe('people');
    vi.unstubAllEnvs();
    expect((await readers(id)).nobody).toBe(200);
  });
});

describe('the audience of a new share', () => {
  it.each([
    ['DEFAULT_AUDIENCE', { DEFAULT_AUDIENCE: 'people' }, 'people'],
    [
      'the narrower MAX_AUDIENCE',
      { DEFAULT_AUDIENCE: 'people', MAX_AUDIENCE: 'private' },
      'private',
    ],
    [
      'private where members can’t be told from strangers',
      { DEFAULT_AUDIENCE: 'members' },
      'private',
    ],
    ['members where they can', { DEFAULT_AUDIENCE: 'members', REGISTRATION: 'closed' }, 'members'],
  ])('is by default %s', async (_, settings, audience) => {
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    expect((await hers.create()).body.audience).toBe(audience);
    vi.unstubAllEnvs();
  });

  it.each([
    [{ audience: 'everyone' }, 400, 'audience', 'must be one of private, people, members, link'],
    [{ audience: 'people' }, 400, 'readers', 'must name at least one person'],
    [
      { audience: 'private', readers: [1] },
      400,
      'readers',
      'can only be combined with the audience people',
    ],
    [{ readers: [1] }, 400, 'readers', 'contains unknown users: 1'],
    [{ readers: ['no address'] }, 400, 'readers.0', 'must be a valid email address'],
    [
      { readers: Array.from({ length: 51 }, (_, at) => at + 1) },
      400,
      'readers',
      'must contain at most 50 people',
    ],
    [
      { audience: 'members' },
      422,
      'audience',
      'must not be members while anyone can register here',
    ],
  ])('refuses %j', async (fields, status, field, message) => {
    const { status: answered, body } = await hers.create(fields);
    expect({ answered, ...body.error.details[0] }).toEqual({
      answered: status,
      field,
      message: expect.stringContaining(message),
    });
  });

  it('refuses the address of someone who must verify it', async () => {
    const email = newEmail();
    await newPerson(email);
    const { token } = await newUserOf('user');
    vi.stubEnv('MAIL_FROM', 'handbill@example.com');
    vi.stubEnv('EMAIL_VERIFICATION', 'required');
    const { body } = await sharesOf({ token }).create({ readers: [email] });
    vi.unstubAllEnvs();
    expect(body.error.message).toMatch(/contains unknown users|Verify your email/);
  });

  it('refuses what exceeds MAX_AUDIENCE if it is asked for, embedding and links too', async () => {
    const id = await hers.newShare();
    vi.stubEnv('MAX_AUDIENCE', 'people');
    const refused = [
      await hers.create({ audience: 'link' }),
      await hers.create({ embedOrigins: ['*'] }),
      await call('POST /api/share/{id}/links', {
        token: ann.token,
        params: { id },
        body: { label: 'Mei' },
      }),
    ];
    vi.unstubAllEnvs();
    expect(refused.map(({ status, body }) => [status, body.error?.message])).toEqual([
      [422, expect.stringContaining('exceeds MAX_AUDIENCE')],
      [422, expect.stringContaining('Invalid embedOrigins')],
      [422, expect.stringContaining('Invalid link')],
    ]);
  });
});

describe('PUT /api/share/{id}', () => {
  it('changes who can open it from the next request on', async () => {
    const id = await hers.newShare({ viewLimit: 9 });
    const steps: readonly [object, object][] = [
      [{ readers: [bob.id] }, { nobody: 401, reader: 200, other: 404 }],
      [{ readers: [eve.id] }, { nobody: 401, reader: 404, other: 200 }],
      [{ readers: [] }, { nobody: 401, reader: 404, other: 404 }],
      [{ audience: 'link' }, { nobody: 200, reader: 200, other: 200 }],
    ];
    for (const [change, expected] of steps) {
      expect((await hers.put(id, change)).status).toBe(200);
      const { nobody, reader, other } = await readers(id);
      expect({ nobody, reader, other }).toEqual(expected);
    }
  });
});
