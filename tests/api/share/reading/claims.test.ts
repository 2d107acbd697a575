import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { open } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-30T12:00:00Z');
useTable();
useJobs();

const { ann: person, ben } = usePeople({ ann: newPerson, ben: newPerson });
const ann = sharesOf(person);

const ask = (id: string, claim: string, headers: object = {}, token?: string) =>
  call('GET /api/share', {
    ...{ query: { id }, headers: { 'x-share-claim': claim, ...headers }, token },
  });

const viewsOf = async (id: string): Promise<number> => (await ann.look(id)).body.views;

describe('GET /api/share with a nonce', () => {
  it('counts one view for requests with the same one, by id and by slug', async () => {
    const id = await ann.newShare({ slug: 'claimed-share' });
    await Promise.all([ask(id, 'a-nonce-1'), ask('claimed-share', 'a-nonce-1')]);
    await ask(id, 'a-nonce-1');
    expect(await viewsOf(id)).toBe(1);
    await ask(id, 'a-nonce-2');
    expect(await viewsOf(id)).toBe(2);
    pass(71_000);
    await ask(id, 'a-nonce-1');
    expect(await viewsOf(id)).toBe(3);
  });

  it('takes the password with each request, and is the view of a form with it', async () => {
    const password = 'Abc123';
    const id = await ann.newShare({ password, viewLimit: 1 });
    const given = { 'x-share-password': password };
    expect((await ask(id, 'a-nonce-3', given)).status).toBe(200);
    expect((await ask(id, 'a-nonce-3', given)).status).toBe(200);
    expect((await ask(id, 'a-nonce-3')).status).toBe(401);
    expect((await open(id, { password, claim: 'a-nonce-3' })).status).toBe(303);
    expect(await viewsOf(id)).toBe(1);
  });

  it('is another view for each reader of a share that isn’t open to all', async () => {
    const id = await ann.newShare({ readers: [ben.id], viewLimit: 2 });
    expect((await ask(id, 'a-nonce-4', {}, ben.token)).status).toBe(200);
    expect((await ask(id, 'a-nonce-4', {}, person.token)).status).toBe(200);
    expect(await viewsOf(id)).toBe(2);
  });

  it('refuses a nonce that is too short', async () => {
    const id = await ann.newShare();
    expect((await ask(id, 'short')).status).toBe(400);
  });
});
