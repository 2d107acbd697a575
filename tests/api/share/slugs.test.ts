import { beforeEach, describe, expect, it, vi } from 'vitest';
import { slugPattern } from '../../../functions/api/share/record/slug-pattern.ts';
import { createShareId } from '../../../functions/api/share/record/slugs.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import type { Answer } from '../../support/service/call.ts';
import { runMinute, useJobs } from '../../support/service/jobs.ts';
import { content, sharesOf } from '../../support/shares/requests.ts';
import { open, page, raw, view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const day = 86_400_000;
let slug: string;
let count = 0;
const people = useNewPeople({ ann: newPerson, bob: newPerson });
const [ann, bob] = [sharesOf(people.ann), sharesOf(people.bob)];
beforeEach(() => {
  slug = `notes-no-${++count}x`;
});

/** The free names that a refusal proposes. */
const proposalsOf = ({ body }: Answer): string[] =>
  body.error.details[0].message.split('free names are ')[1].split(' and ');

describe('the slug of a share', () => {
  it('is in its address and leads to its page, source and content', async () => {
    const { status, body } = await ann.create({ slug });
    expect([status, body.url]).toEqual([201, `https://handbill.test/s/${slug}`]);
    const shown = (await ann.look(body.id)).body;
    expect([shown.slug, shown.url]).toEqual([slug, body.url]);
    expect((await page(slug)).status).toBe(200);
    expect((await raw(slug)).body).toBe(content);
    expect((await view(slug)).body).toMatchObject({ id: body.id, content, views: 1 });
    expect((await ann.look(slug)).body.id).toBe(body.id);
    expect((await page(body.id)).status).toBe(200);
  });

  it('is the address that its page copies and tells others, by whichever it was opened', async () => {
    const { body } = await ann.create({ slug });
    for (const address of [slug, body.id]) {
      const shown = (await page(address)).body;
      expect(shown).toContain(`data-copies-link="${body.url}"`);
      expect(shown).toContain(`<link rel="canonical" href="${body.url}">`);
      expect(shown).toContain(`<meta property="og:url" content="${body.url}">`);
    }
  });

  it.each(['ab', 'x'.repeat(65), 'Team', 'a_b', 'a b', 'é-é-é', ''])(
    'can’t be %j',
    async (wrong) => {
      const { status, body } = await ann.create({ slug: wrong });
      expect([status, body.error?.details[0].field]).toEqual(
        wrong === '' ? [201, undefined] : [400, 'slug'],
      );
    },
  );

  it('leads nowhere if no share has it', async () => {
    expect([
      (await page(slug)).status,
      (await raw(slug)).status,
      (await view(slug)).status,
    ]).toEqual([404, 404, 404]);
  });

  it('answers 409 with two free proposals if it is taken or reserved', async () => {
    await ann.create({ slug });
    await ann.create({ slug: `${slug}-2` });
    for (const [wanted, reason] of [
      [slug, 'taken'],
      ['admin', 'reserved'],
    ]) {
      const refused = await bob.create({ slug: wanted });
      expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT']);
      const [{ field, message }] = refused.body.error.details;
      const proposals = proposalsOf(refused);
      expect([field, proposals.length]).toEqual(['slug', 2]);
      expect(message).toBe(`is ${reason}; free names are ${proposals.join(' and ')}`);
      for (const free of proposals) {
        expect((await bob.create({ slug: free })).status).toBe(201);
      }
    }
    const long = 'y'.repeat(64);
    await ann.create({ slug: long });
    const proposals = proposalsOf(await bob.create({ slug: long }));
    expect(proposals.every((one: string) => slugPattern.test(one))).toBe(true);
  });

  it('is of one share, however many take it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => (at % 2 ? ann : bob).create({ slug })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
    const winner = answers.find(({ status }) => status === 201);
    expect((await view(slug)).body.id).toBe(winner?.body.id);
  });

  it('can be set, changed and removed by the owner alone', async () => {
    const id = await ann.newShare();
    expect((await bob.put(id, { slug })).status).toBe(404);
    expect((await ann.put(id, { slug })).body).toMatchObject({ slug, version: 2 });
    expect((await ann.put(id, { slug })).body.version).toBe(2);
    expect((await ann.put(id, { slug: 'other-name' })).body.slug).toBe('other-name');
    expect([(await page(slug)).status, (await page('other-name')).status]).toEqual([404, 200]);
    const { body } = await ann.put(id, { slug: null });
    expect([body.slug, body.url]).toEqual([null, `https://handbill.test/s/${id}`]);
    expect([(await page('other-name')).status, (await page(id)).status]).toEqual([404, 200]);
  });

  it('stays with its share if another one can’t be taken', async () => {
    await bob.create({ slug: 'of-bob' });
    const id = await ann.newShare({ slug });
    const refused = await ann.put(id, { slug: 'of-bob', title: 'Not stored' });
    expect([refused.status, proposalsOf(refused).length]).toEqual([409, 2]);
    expect((await ann.put(id, { slug: 'settings' })).status).toBe(409);
    expect((await ann.look(slug)).body).toMatchObject({ id, slug, title: null, version: 1 });
  });

  it('is only for its last owner for 90 days once its share is deleted', async () => {
    await ann.remove(await ann.newShare({ slug }));
    expect((await page(slug)).status).toBe(404);
    expect((await bob.create({ slug })).status).toBe(409);
    const id = await ann.newShare({ slug });
    expect((await view(slug)).body.id).toBe(id);
    await ann.put(id, { slug: null });
    pass(90 * day - 60_000);
    expect((await sharesOf(await newPerson()).create({ slug })).status).toBe(409);
    pass(60_000);
    expect((await sharesOf(await newPerson()).create({ slug })).status).toBe(201);
  });

  it('stays with a share that has ended', async () => {
    const id = await ann.newShare({ slug, viewLimit: 1 });
    expect((await view(slug)).status).toBe(200);
    expect((await view(slug)).status).toBe(410);
    await runMinute();
    expect((await page(slug)).status).toBe(410);
    expect((await bob.create({ slug })).status).toBe(409);
    expect((await ann.create({ slug })).status).toBe(409);
    await ann.remove(id);
    expect((await ann.create({ slug })).status).toBe(201);
  });

  it('is in the audit log', async () => {
    const id = await ann.newShare({ slug });
    pass(1_000);
    await ann.put(id, { slug: null });
    const [created, changed] = await entriesAbout(`share:${id}`);
    expect(created?.['after']).toMatchObject({ slug });
    expect(changed?.['before']).toEqual({ slug });
  });
});

describe('a slug never weakens its share', () => {
  it('uses up the views of its share', async () => {
    const id = await ann.newShare({ slug, viewLimit: 1 });
    expect([(await view(slug)).status, (await view(id)).status]).toEqual([200, 410]);
  });

  it('needs the password, and gives no further tries', async () => {
    vi.stubEnv('RATE_LIMIT_FACTOR', '1');
    const id = await ann.newShare({ slug, password: 'Abc123' });
    expect((await page(slug)).body).not.toContain(content);
    expect([(await raw(slug)).status, (await view(slug)).status]).toEqual([401, 401]);
    expect((await view(slug, 'Abc123')).body.content).toBe(content);
    const wrong = [];
    for (const at of [slug, id, slug, id, slug, id, slug]) wrong.push(await view(at, 'Xyz999'));
    expect(wrong.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await open(slug, { password: 'Abc123' })).status).toBe(404);
    vi.unstubAllEnvs();
  });
});

it('is never the id of a share', () => {
  for (let count = 0; count < 1_000; count++) expect(createShareId()).not.toMatch(slugPattern);
});
