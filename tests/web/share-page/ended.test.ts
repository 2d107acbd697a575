import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { runMinute, useJobs } from '../../support/service/jobs.ts';
import { endAsReader, linksOf, sharesOf } from '../../support/shares/requests.ts';
import { open, page, view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson, newUserOf } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const { person } = useNewPeople({ person: newPerson });
const ann = { ...sharesOf(person), ...linksOf(person) };
const ownPage = (id: string, token = person.token) =>
  call('GET /s/{id}', { params: { id }, token });

interface Told {
  readonly title: string;
  readonly text: string;
  /** What its owner is told instead, below the day. */
  readonly own: string;
}

const askForLink = 'Ask the person who shared it for a new link.';

/** What ends a share: its fields, what is done, and what readers are told. */
const ends: Readonly<Record<string, readonly [object, (id: string) => Promise<unknown>, Told]>> = {
  'its view limit': [
    { viewLimit: 1 },
    (id) => view(id),
    {
      title: 'This share has reached its view limit',
      text: 'All its views were used. If none was yours, tell the person who shared it.',
      own: 'All its views were used. It was opened once.',
    },
  ],
  'its expiration': [
    { expiresIn: 5 },
    async () => pass(5_000),
    {
      title: 'This share has expired',
      text: askForLink,
      own: 'It expired. It was never opened.',
    },
  ],
  'its owner': [
    {},
    (id) => ann.end(id),
    {
      title: 'This share has ended',
      text: askForLink,
      own: 'You stopped sharing it. It was never opened.',
    },
  ],
  'a reader': [
    { readersCanEnd: true },
    (id) => endAsReader(id),
    {
      title: 'This share has ended',
      text: askForLink,
      own: 'A reader ended it. It was never opened.',
    },
  ],
  'a moderator': [
    {},
    async (id) => sharesOf(await newUserOf('super_admin')).decide(id, 'take-down'),
    {
      title: 'This share was taken down',
      text: 'A moderator removed it.',
      own: 'A moderator removed it.',
    },
  ],
};

describe.each(Object.entries(ends))(
  'a share ended by %s',
  (_, [fields, end, { title, text, own }]) => {
    it('says so on its page, with the brand and the way on, and to clients of the API', async () => {
      const id = await ann.newShare(fields);
      await end(id);
      const { status, body } = await page(id);
      expect(status).toBe(410);
      expect(body).toContain(`<h1>${title}</h1><p>${text}</p>`);
      expect(body).toContain('<a class="brand" href="/">Handbill</a>');
      expect(body).toContain('href="/">Create your own</a>');
      expect(body).not.toContain('/report');
      expect((await view(id)).body.error).toMatchObject({ code: 'GONE', message: `${title}.` });
    });

    it('says so after its content is deleted, too', async () => {
      const id = await ann.newShare(fields);
      await end(id);
      pass(200_000);
      await runMinute();
      expect((await page(id)).body).toContain(`<h1>${title}</h1>`);
    });

    it('tells its owner the day and the cause, also after its content is deleted', async () => {
      const id = await ann.newShare(fields);
      await end(id);
      const day = `on <time datetime="${new Date().toISOString()}" data-style="shortDay">21 Nov</time></h1>`;
      for (const wait of [0, 200_000]) {
        pass(wait);
        await runMinute();
        const { status, body } = await ownPage(id);
        expect(status).toBe(410);
        expect(body).toContain(day);
        expect(body).toContain(`<p>${own}</p>`);
        expect(body).toContain('href="/shares">Your shares</a>');
      }
    });
  },
);

describe('a share that was taken down with a reason', () => {
  it('tells it to its owner alone', async () => {
    const id = await ann.newShare();
    const nadia = await newUserOf('super_admin');
    await sharesOf(nadia).decide(id, 'take-down', {}, 'It copies a sign-in page.');
    expect((await ownPage(id)).body).toContain('and wrote: “It copies a sign-in page.”');
    const others = [await page(id), await ownPage(id, nadia.token)];
    for (const { status, body } of others) {
      expect([status, String(body).includes('copies')]).toEqual([410, false]);
    }
  });
});

describe('a share that readers open at the same time', () => {
  it('tells those who came too late that its views were used', async () => {
    const id = await ann.newShare({ viewLimit: 1 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => view(id)));
    const late = answers.filter(({ status }) => status === 410);
    expect(late).toHaveLength(7);
    expect(new Set(late.map(({ body }) => body.error.message))).toEqual(
      new Set(['This share has reached its view limit.']),
    );
  });
});

describe('a recipient link', () => {
  it.each([
    ['revoked', {}, async (id: string, link: string) => ann.revokeLink(id, link), 'was revoked'],
    [
      'used up',
      { viewLimit: 1 },
      (_: string, link: string) => view(link),
      'has reached its view limit',
    ],
    ['expired', { expiresIn: 5 }, async () => pass(5_000), 'has expired'],
  ])('says that it was %s', async (_, fields, end, told) => {
    const id = await ann.newShare();
    const link = (await ann.addLink(id, { label: 'Mei', ...fields })).body.id as string;
    await end(id, link);
    const { status, body } = await page(link);
    expect(status).toBe(410);
    expect(body).toContain(`<h1>This link ${told}</h1>`);
    expect((await open(link)).body).toContain(`<h1>This link ${told}</h1>`);
    expect((await view(link)).body.error.message).toBe(`This link ${told}.`);
    expect((await page(id)).status).toBe(200);
  });
});
