import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLinkId, isLinkId, maxLinks } from '../../../functions/api/share/record/links.ts';
import { slugPattern } from '../../../functions/api/share/record/slug-pattern.ts';
import { createShareId } from '../../../functions/api/share/record/slugs.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { instead } from '../../support/service/interruption.ts';
import { runMinute, settleJobs, useJobs } from '../../support/service/jobs.ts';
import { gateOf } from '../../support/shares/account.ts';
import { linksOf, sharesOf } from '../../support/shares/requests.ts';
import { page, view } from '../../support/shares/shares.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newPerson, newUserOf } from '../../support/users/test-users.ts';
import { signInAgain, useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
afterEach(() => void vi.restoreAllMocks());

const day = 86_400_000;
const { person } = useNewPeople({ person: newPerson });
const ann = { ...sharesOf(person), ...linksOf(person) };

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();

const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

describe('POST /api/share/{id}/links', () => {
  it('creates a link with an address of its own', async () => {
    const id = await ann.newShare();
    const { status, body } = await ann.addLink(id, { label: 'Mei', viewLimit: 2, expiresIn: 60 });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^to_[\w-]{22}$/),
      label: 'Mei',
      email: null,
      verify: false,
      sentAt: null,
      bouncedAt: null,
      bounceReason: null,
      verifiedAt: null,
      url: `https://handbill.test/s/${body.id}`,
      viewLimit: 2,
      views: 0,
      expiresAt: '2026-11-21T12:01:00.000Z',
      createdAt: '2026-11-21T12:00:00.000Z',
      firstViewedAt: null,
      lastViewedAt: null,
      endedBy: null,
    });
    expect((await ann.links(id)).body).toEqual({ items: [body] });
  });

  it.each([
    ['label', { label: ' ' }],
    ['label', { label: 'x'.repeat(41) }],
    ['viewLimit', { label: 'Mei', viewLimit: 0 }],
    ['expiresAt', { label: 'Mei', expiresAt: '2020-01-01T00:00:00Z' }],
  ])('rejects an invalid %s', async (field, body) => {
    const { status, body: error } = await ann.addLink(await ann.newShare(), body);
    expect([status, error.error.details[0].field]).toEqual([400, field]);
  });

  it('creates at most 20, revoked ones included, in parallel too', async () => {
    const id = await ann.newShare();
    for (let count = 0; count < maxLinks - 2; count++) await ann.addLink(id);
    const answers = await times(5, () => ann.addLink(id));
    expect(statuses(answers)).toEqual([201, 201, 409, 409, 409]);
    const { items } = (await ann.links(id)).body;
    expect(items).toHaveLength(maxLinks);
    await ann.revokeLink(id, items[0].id);
    expect((await ann.addLink(id)).status).toBe(409);
  });

  it('returns 410 for a share that has ended', async () => {
    const id = await ann.newShare();
    await ann.end(id);
    expect((await ann.addLink(id)).status).toBe(410);
  });
});

describe('the links of a share', () => {
  it('are not named in the audit log, because an id opens the share', async () => {
    const id = await ann.newShare();
    const { body: link } = await ann.addLink(id);
    const noted = await itemsOf(`AUDIT#SUBJECT#share:${id}`);
    expect(noted.map(({ action }) => action).toSorted()).toEqual([
      'share.create',
      'share.create-link',
    ]);
    expect(JSON.stringify(noted)).not.toContain(link.id);
  });

  it('belong to its owner alone', async () => {
    const id = await ann.newShare();
    const { body: link } = await ann.addLink(id);
    const other = linksOf(await newPerson());
    const answers = [other.links(id), other.addLink(id), other.revokeLink(id, link.id)];
    expect(statuses(await Promise.all(answers))).toEqual([404, 404, 404]);
    const signedOut = await call('GET /api/share/{id}/links', { params: { id } });
    expect(signedOut.status).toBe(401);
    expect((await ann.links(id)).body.items).toEqual([link]);
  });

  it('are not found cut short, lengthened or made up', async () => {
    const { body: link } = await ann.addLink(await ann.newShare());
    const wrong = [link.id.slice(0, -1), `${link.id}A`, link.id.slice(3), createLinkId(), 'to_'];
    for (const id of wrong) expect([id, (await view(id)).status]).toEqual([id, 404]);
  });

  it('are those of one share', async () => {
    const [id, other] = [await ann.newShare(), await ann.newShare()];
    const { body: link } = await ann.addLink(id);
    expect((await ann.revokeLink(other, link.id)).status).toBe(404);
    expect((await view(link.id)).status).toBe(200);
  });

  it('stay listed with their views for 90 days after the end of the share', async () => {
    const id = await ann.newShare({ viewLimit: 1 });
    const { body: link } = await ann.addLink(id);
    await view(link.id);
    pass(130_000);
    await runMinute();
    pass(89 * day);
    await signInAgain(person);
    expect((await ann.links(id)).body.items).toMatchObject([{ id: link.id, views: 1 }]);
    pass(day);
    await signInAgain(person);
    expect((await ann.links(id)).status).toBe(404);
  });
});

describe('a view with a link', () => {
  it('counts for the link and the share, with its first and last time', async () => {
    const id = await ann.newShare();
    const [mei, luca] = [(await ann.addLink(id)).body, (await ann.addLink(id)).body];
    const start = Date.now();
    pass(1_000);
    await view(mei.id);
    pass(1_000);
    await view(mei.id);
    const { items } = (await ann.links(id)).body;
    expect(items).toEqual([
      {
        ...mei,
        views: 2,
        firstViewedAt: new Date(start + 1_000).toISOString(),
        lastViewedAt: new Date(start + 2_000).toISOString(),
      },
      luca,
    ]);
    expect((await gateOf(id))?.views).toBe(2);
  });

  it('requires the password of the share', async () => {
    const id = await ann.newShare({ password: 'Abc123' });
    const { body: link } = await ann.addLink(id);
    expect((await view(link.id)).status).toBe(401);
    expect((await view(link.id, 'wrong1')).status).toBe(401);
    expect((await ann.links(id)).body.items[0].views).toBe(0);
    expect((await view(link.id, 'Abc123')).status).toBe(200);
    expect((await ann.links(id)).body.items[0].views).toBe(1);
  });

  it('is served exactly as often as the limit of the link says, of 30 at once', async () => {
    const id = await ann.newShare();
    const { body: link } = await ann.addLink(id, { label: 'Mei', viewLimit: 10 });
    const answers = await times(30, () => view(link.id));
    expect(statuses(answers)).toEqual([...Array(10).fill(200), ...Array(20).fill(410)]);
    expect((await ann.links(id)).body.items[0]).toMatchObject({ views: 10, endedBy: 'views' });
    expect((await page(id)).status).toBe(200);
  });

  it('is refused after the link has expired', async () => {
    const id = await ann.newShare();
    const { body: link } = await ann.addLink(id, { label: 'Mei', expiresIn: 60 });
    pass(60_000);
    expect((await view(link.id)).status).toBe(410);
    expect((await ann.links(id)).body.items[0]).toMatchObject({ views: 0, endedBy: 'time' });
  });

  it('counts nothing for HEAD and prefetches', async () => {
    const id = await ann.newShare();
    const { body: link } = await ann.addLink(id);
    const query = { id: link.id };
    expect((await call('HEAD /api/share', { query })).status).toBe(200);
    const headers = { 'sec-purpose': 'prefetch' };
    expect((await call('GET /api/share', { query, headers })).status).toBe(400);
    expect((await ann.links(id)).body.items[0].views).toBe(0);
  });
});

describe('the last view of a share', () => {
  it('is had once, by a link or by the plain address, of 40 at once', async () => {
    const id = await ann.newShare({ viewLimit: 7 });
    const { body: mei } = await ann.addLink(id, { label: 'Mei', viewLimit: 3 });
    const { body: luca } = await ann.addLink(id, { label: 'Luca' });
    const answers = await times(10, async () =>
      Promise.all([id, mei.id, luca.id, id].map((address) => view(address))),
    );
    expect(statuses(answers.flat())).toEqual([...Array(7).fill(200), ...Array(33).fill(410)]);
    const [first, second] = (await ann.links(id)).body.items;
    const byLinks = [1, 2].map((at) => answers.filter((one) => one[at]?.status === 200).length);
    expect([first.views, second.views]).toEqual(byLinks);
    expect(first.views).toBeLessThanOrEqual(3);
    expect(await gateOf(id)).toMatchObject({ views: 7, endedAt: expect.any(String) });
  });
});

describe('where nobody may open shares by a link', () => {
  it('a link is unknown to all, its owner too, until that changes', async () => {
    const id = await ann.newShare();
    const { body: link } = await ann.addLink(id);
    const read = () =>
      Promise.all([
        view(link.id),
        page(link.id),
        call('GET /s/{id}', { params: { id: link.id }, token: person.token }),
      ]);
    vi.stubEnv('MAX_AUDIENCE', 'members');
    expect(statuses(await read())).toEqual([404, 404, 404]);
    vi.unstubAllEnvs();
    expect(statuses(await read())).toEqual([200, 200, 200]);
  });
});

describe('the items of links', () => {
  /** Creates a share with links, of which nothing else is in the table. */
  const newLinked = async () => {
    const id = await ann.newShare({ viewLimit: 2 });
    const [mei] = [(await ann.addLink(id)).body, await ann.addLink(id), await ann.addLink(id)];
    await ann.revokeLink(id, mei.id);
    expect(await linksIn(id)).toHaveLength(3);
    return id;
  };
  const linksIn = async (id: string) =>
    (await itemsOf('LINK#')).filter(({ shareId }) => shareId === id);

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['by its owner', (id) => ann.remove(id)],
    ['with its owner', async () => removeUser(await newUserOf('super_admin'), person.id)],
    [
      '90 days after its end',
      async (id) => {
        await ann.end(id);
        pass(130_000);
        await runMinute();
        expect(await linksIn(id)).toHaveLength(3);
        pass(91 * day);
      },
    ],
  ])('are deleted with their share: %s', async (_, remove) => {
    const id = await newLinked();
    await remove(id);
    pass(130_000);
    await runMinute();
    await settleJobs();
    expect(await linksIn(id)).toEqual([]);
    expect(await itemsOf(`SHARE#${id}`)).toEqual([]);
  });

  it('are deleted with their share, also one that is added at that time', async () => {
    const id = await newLinked();
    instead(documentClient(), QueryCommand, async (go) => {
      const found = await go();
      expect((await ann.addLink(id)).status).toBe(201);
      return found;
    });
    expect((await ann.remove(id)).status).toBe(200);
    expect(await linksIn(id)).toEqual([]);
  });

  it('stay with a share that gets another owner', async () => {
    const id = await newLinked();
    const other = await newPerson();
    await removeUser(await newUserOf('super_admin'), person.id, other.id);
    await settleJobs();
    const { items } = (await linksOf(other).links(id)).body;
    expect(items).toHaveLength(3);
    expect((await view(items[2].id)).status).toBe(200);
  });
});

it('is never the id of a share, and no name of one', () => {
  for (let count = 0; count < 1_000; count++) {
    expect(isLinkId(createShareId())).toBe(false);
    const id = createLinkId();
    expect([isLinkId(id), slugPattern.test(id), /^[\w-]{22}$/.test(id)]).toEqual([
      true,
      false,
      false,
    ]);
  }
  const others = [
    'to_',
    `to-${'a'.repeat(22)}`,
    `to_${'a'.repeat(21)}`,
    `TO_${'a'.repeat(22)}`,
    '',
  ];
  expect(others.filter(isLinkId)).toEqual([]);
});

describe('DELETE /api/share/{id}/links/{linkId}', () => {
  it('revokes one link at once and leaves the others alone', async () => {
    const id = await ann.newShare();
    const [mei, luca] = [(await ann.addLink(id)).body, (await ann.addLink(id)).body];
    await view(mei.id);
    const { status, body } = await ann.revokeLink(id, mei.id);
    expect([status, body.endedBy, body.views]).toEqual([200, 'owner', 1]);
    const answers = [view(mei.id), view(luca.id)];
    expect((await Promise.all(answers)).map((one) => one.status)).toEqual([410, 200]);
    expect(await ann.revokeLink(id, mei.id)).toMatchObject({ status: 200, body });
    expect((await ann.revokeLink(id, 'unknown')).status).toBe(404);
  });
});
