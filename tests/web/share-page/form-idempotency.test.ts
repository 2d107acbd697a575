import { describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { form } from '../../support/service/form.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { open, page, tokenIn } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson, type Person } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

// Half a second before the minute is full.
useVirtualTime('2026-11-21T12:00:59.500Z');
useTable();
useJobs();

const second = 1_000;
const { person, bob, eve } = useNewPeople({ person: newPerson, bob: newPerson, eve: newPerson });
const ann = sharesOf(person);
const viewsOf = async (id: string) => (await ann.look(id)).body.views;

describe('a repeated submission of the open form', () => {
  it.each([1, 10, 30, 59, 60])('counts the same view after %i s', async (seconds) => {
    for (let at = 0; at < 7; at++) {
      const id = await ann.newShare({ viewLimit: 1 });
      expect((await open(id, { claim: 'a-nonce' })).status).toBe(303);
      pass(seconds * second);
      const again = await open(id, { claim: 'a-nonce' });
      expect([again.status, await viewsOf(id)]).toEqual([303, 1]);
      expect((await page(id, tokenIn(again))).status).toBe(200);
      pass(1_500);
    }
  });

  it('counts another view after more than 70 s', async () => {
    for (let at = 0; at < 7; at++) {
      const id = await ann.newShare({ viewLimit: 2 });
      await open(id, { claim: 'a-nonce' });
      pass(70 * second);
      expect((await open(id, { claim: 'a-nonce' })).status).toBe(303);
      expect(await viewsOf(id)).toBe(2);
      expect((await open(id, { claim: 'another' })).status).toBe(410);
      pass(1_500);
    }
  });

  it('counts a view of its own for each reader of a share that isn’t open to all', async () => {
    const id = await ann.newShare({ viewLimit: 1, readers: [bob.id, eve.id] });
    const openAs = ({ token }: Person) =>
      call('POST /s/{id}/open', { params: { id }, token, ...form({ claim: 'a-nonce' }) });
    const answers = [await openAs(bob), await openAs(bob), await openAs(eve)];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 410]);
    expect(await viewsOf(id)).toBe(1);
  });

  it('is timed from the consumed view, not from the last submission', async () => {
    const id = await ann.newShare({ viewLimit: 2 });
    await open(id, { claim: 'a-nonce' });
    for (const views of [1, 2]) {
      pass(40 * second);
      await open(id, { claim: 'a-nonce' });
      expect(await viewsOf(id)).toBe(views);
    }
  });

  it('counts the same view if the later request is faster', async () => {
    const id = await ann.newShare({ viewLimit: 2 });
    pass(59_500 - (Date.now() % 60_000));
    const clock = Date.now();
    pass(second);
    await open(id, { claim: 'a-nonce' });
    pass(clock - Date.now());
    expect((await open(id, { claim: 'a-nonce' })).status).toBe(303);
    expect(await viewsOf(id)).toBe(1);
  });

  it('counts the same view of a protected share', async () => {
    const id = await ann.newShare({ password: 'Abc123', viewLimit: 1 });
    const sent = { claim: 'a-nonce', password: 'Abc123' };
    expect((await open(id, sent)).status).toBe(303);
    pass(second);
    expect((await open(id, sent)).status).toBe(303);
    expect((await open(id, { ...sent, claim: 'another' })).status).toBe(410);
  });

  it.each([
    ['wrong', { password: 'Xyz999' }],
    ['missing', {}],
  ])('needs the password again: %s', async (_, given) => {
    for (const rule of [{}, { viewLimit: 1 }]) {
      const id = await ann.newShare({ password: 'Abc123', ...rule });
      expect((await open(id, { claim: 'a-nonce', password: 'Abc123' })).status).toBe(303);
      const again = await open(id, { claim: 'a-nonce', ...given });
      expect([again.status, tokenIn(again), await viewsOf(id)]).toEqual([401, undefined, 1]);
    }
  });

  it('gives no further tries of a password', async () => {
    vi.stubEnv('RATE_LIMIT_FACTOR', '1');
    const id = await ann.newShare({ password: 'Abc123' });
    await open(id, { claim: 'a-nonce', password: 'Abc123' });
    const tries = [];
    for (let count = 0; count < 6; count++) {
      tries.push((await open(id, { claim: 'a-nonce', password: 'Xyz999' })).status);
    }
    vi.unstubAllEnvs();
    expect(tries).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('counts another view once the content was replaced', async () => {
    const id = await ann.newShare({ viewLimit: 3 });
    await open(id, { claim: 'a-nonce' });
    await ann.put(id, { content: '<p>Other</p>' });
    const again = await open(id, { claim: 'a-nonce' });
    expect([again.status, await viewsOf(id)]).toEqual([303, 2]);
    expect((await page(id, tokenIn(again))).body).toContain(`/${id}?view=`);
  });
});
