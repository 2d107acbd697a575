import { describe, expect, it } from 'vitest';
import { type Answer, call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { content, report, sharesOf } from '../../support/shares/requests.ts';
import { view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();

const { ann, root } = usePeople({ ann: newPerson, root: 'super_admin' });
const [her, theirs] = [sharesOf(ann), sharesOf(root)];

describe('the ETag of a share', () => {
  const known = ({ headers }: Answer) => ({ 'if-none-match': headers['etag'] ?? '' });

  it.each([
    ["the owner's look", () => her.look],
    ["a moderator's look", () => theirs.manage],
  ])('returns 304 for %s until it is viewed or changed', async (_, by) => {
    const read = by();
    const id = await her.newShare();
    const first = await read(id);
    expect(first.headers['etag']).toMatch(/^"1-[\w-]{8}"$/);
    const again = await read(id, known(first));
    expect([again.status, again.body || undefined]).toEqual([304, undefined]);
    expect(again.headers).toMatchObject({ 'cache-control': 'no-store' });
    for (const change of [() => view(id), () => her.put(id, { title: 'Other' })]) {
      const before = await read(id);
      await change();
      expect((await read(id, known(before))).status).toBe(200);
    }
  });

  it('changes after a report for moderators but not for the owner', async () => {
    const id = await her.newShare();
    const [own, managed] = [await her.look(id), await theirs.manage(id)];
    await report(id);
    expect((await her.look(id, known(own))).status).toBe(304);
    expect((await theirs.manage(id, known(managed))).status).toBe(200);
    const ifMatch = { 'if-match': own.headers['etag'] ?? '' };
    expect((await her.put(id, { title: 'Mine' }, ifMatch)).status).toBe(200);
  });

  it('never turns a counted view into a 304', async () => {
    const id = await her.newShare({ viewLimit: 9 });
    const { headers } = await her.look(id);
    for (const [at, tag] of [headers['etag'] ?? '', '*'].entries()) {
      const options = { query: { id }, headers: { 'if-none-match': tag } };
      const { status, body } = await call('GET /api/share', options);
      expect([status, body.content, body.views]).toEqual([200, content, at + 1]);
    }
  });
});

describe('If-Match with only the version', () => {
  it('is unaffected by views', async () => {
    const id = await her.newShare({ viewLimit: 9 });
    const tag = { 'if-match': (await her.look(id)).headers['etag'] ?? '' };
    await view(id);
    expect((await her.put(id, { title: 'Other' }, tag)).status).toBe(200);
  });

  it('closes no report that the moderator has not seen', async () => {
    const id = await her.newShare();
    await report(id);
    const seen = { 'if-match': (await theirs.manage(id)).headers['etag'] ?? '' };
    await report(id);
    const refused = await theirs.decide(id, 'keep', seen);
    expect([refused.status, refused.body.error.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await theirs.manage(id)).body.data.reports).toBe(2);
    const latest = { 'if-match': (await theirs.manage(id)).headers['etag'] ?? '' };
    const decided = await theirs.decide(id, 'keep', latest);
    expect([decided.status, decided.body.data.reports]).toEqual([200, 0]);
    expect((await theirs.decide(id, 'keep', latest)).status).toBe(412);
  });
});
