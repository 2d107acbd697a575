import { afterEach, describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { signInAgain } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
afterEach(() => {
  vi.unstubAllEnvs();
});

const dayMs = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();
const bound = (age: string) => vi.stubEnv('MAX_SHARE_AGE', age);

/** Someone who has just signed in: sessions end while the clock moves. */
const newOwner = async () => {
  const person = await newPerson();
  const again = async () => sharesOf(await signInAgain(person));
  return { ...sharesOf(person), person, again };
};

const tooLate = (latest: string) => ({
  status: 422,
  body: {
    error: {
      message: `Invalid expiresAt: exceeds MAX_SHARE_AGE of this service: a share lives for 30 days at most, this one until ${latest}.`,
      details: [{ field: 'expiresAt' }],
    },
  },
});

describe('MAX_SHARE_AGE, for a new share', () => {
  it('is the end of one whose author doesn’t say, as the response does', async () => {
    const hers = await newOwner();
    bound('30d');
    const { body } = await hers.create({ expiresAt: null });
    expect(body.expiresAt).toBe(inDays(30));
    expect((await hers.look(body.id)).body.expiresAt).toBe(inDays(30));
    vi.unstubAllEnvs();
    expect((await hers.look(body.id)).body.expiresAt).toBe(inDays(30));
    expect((await hers.create()).body).not.toHaveProperty('expiresAt');
  });

  it('allows what is sooner, and exactly as late', async () => {
    const hers = await newOwner();
    bound('30d');
    expect((await hers.create({ expiresIn: 3_600 })).body.expiresAt).toBe(inDays(1 / 24));
    expect((await hers.create({ expiresIn: 30 * 86_400 })).body.expiresAt).toBe(inDays(30));
  });

  it('refuses a later end that is asked for, and says which is the latest', async () => {
    const hers = await newOwner();
    bound('30d');
    expect(await hers.create({ expiresAt: inDays(31) })).toMatchObject(tooLate(inDays(30)));
    expect(await hers.create({ expiresIn: 30 * 86_400 + 1 })).toMatchObject(tooLate(inDays(30)));
    expect((await hers.list()).body.items).toEqual([]);
  });
});

describe('MAX_SHARE_AGE, for a share that exists', () => {
  it('ends it with the next request, and raising it restores the end that was stored', async () => {
    const hers = await newOwner();
    const [endless, later] = [
      await hers.newShare(),
      await hers.newShare({ expiresIn: 60 * 86_400 }),
    ];
    const [created, ends] = [Date.now(), inDays(60)];
    pass(5 * dayMs);
    const { look, summary, listBy } = await hers.again();
    const read = async (id: string) => (await call('GET /api/share', { query: { id } })).status;
    expect(await read(endless)).toBe(200);
    bound('5d');
    expect(await Promise.all([read(endless), read(later)])).toEqual([410, 410]);
    const ended = { status: 'ended', endedBy: 'time', expiresAt: new Date(created + 5 * dayMs) };
    expect((await look(later)).body).toMatchObject({
      ...ended,
      expiresAt: ended.expiresAt.toISOString(),
    });
    expect((await summary()).body).toMatchObject({ active: 0, expiringSoon: 0 });
    expect((await listBy({ status: 'active' })).body.items).toEqual([]);
    bound('7d');
    expect((await summary()).body).toMatchObject({ active: 2, expiringSoon: 2 });
    vi.unstubAllEnvs();
    expect((await look(endless)).body).toMatchObject({ status: 'active', expiresAt: null });
    expect((await look(later)).body).toMatchObject({ status: 'active', expiresAt: ends });
  });

  it('bounds changes by the creation, so that extending gets around nothing', async () => {
    const hers = await newOwner();
    const id = await hers.newShare({ expiresIn: 3_600 * 24 * 6 });
    const latest = inDays(30);
    pass(5 * dayMs);
    const { put, look } = await hers.again();
    bound('30d');
    expect(await put(id, { expiresAt: latest })).toMatchObject({ status: 200 });
    expect(await put(id, { expiresIn: 30 * 86_400 })).toMatchObject(tooLate(latest));
    expect(await put(id, { expiresAt: null })).toMatchObject(tooLate(latest));
    expect((await look(id)).body.expiresAt).toBe(latest);
  });

  it('lets other changes be made, and the whole record be sent as it was read', async () => {
    const hers = await newOwner();
    const id = await hers.newShare();
    bound('30d');
    const { body } = await hers.look(id);
    expect(body.expiresAt).toBe(inDays(30));
    expect(await hers.put(id, { ...body, title: 'Plan' })).toMatchObject({ status: 200 });
    vi.unstubAllEnvs();
    expect((await hers.look(id)).body).toMatchObject({ title: 'Plan', expiresAt: null });
  });

  it('keeps one that was ended by hand from being reopened past it', async () => {
    const hers = await newOwner();
    const id = await hers.newShare();
    pass(dayMs - 10_000);
    const { end, reopen } = await hers.again();
    bound('1d');
    expect((await end(id)).status).toBe(200);
    pass(20_000);
    expect((await reopen(id)).status).toBe(410);
  });
});
