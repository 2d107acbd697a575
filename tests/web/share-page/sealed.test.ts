import { describe, expect, it } from 'vitest';
import { measureAsset, measurePage } from '../../support/pages/compressed-size.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { newSeal, sealedBody, unseal } from '../../support/shares/sealed.ts';
import { frame, open, page, raw } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();

const { ann: person } = usePeople({ ann: newPerson });
const ann = sharesOf(person);

const newSealed = async (body: object = {}) =>
  ann.newShare(await sealedBody(await newSeal(), body));

describe('the page of a sealed share', () => {
  it('says so, and neither its title nor its envelope', async () => {
    const id = await newSealed({ title: 'Codes', description: 'Of the safe', viewLimit: 2 });
    const { status, body, headers } = await page(id);
    expect(status).toBe(200);
    expect(body).toContain('<h1>This snippet is sealed</h1>');
    expect(body).toContain('Opening it uses 1 of 2 remaining views.');
    expect(body).toContain(`/s/${id}/report`);
    for (const secret of ['Codes', 'Of the safe', 'SEJTA', 'Ann Example']) {
      expect(body).not.toContain(secret);
    }
    expect(headers['cache-control']).toMatch(/no-store/);
  });

  it('needs its script, and has forms that send nothing', async () => {
    const { body } = await page(await newSealed());
    expect(body).toMatch(/<noscript>.*requires JavaScript.*<\/noscript>/);
    const forms = body.match(/<form[^>]*>/g);
    expect(forms).toEqual(['<form data-opens hidden>', '<form data-links hidden>']);
    expect(body).not.toMatch(/<(?:input|button)[^>]* (?:name|formaction)=/);
  });

  it('loads from the snippets host alone what its service has not', async () => {
    const { headers } = await page(await newSealed());
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("connect-src 'self' https://snippets.test;");
    expect(policy).toContain('frame-src https://snippets.test;');
    const other = await page(await ann.newShare({ content: 'Hi', language: 'html' }));
    expect(other.headers['content-security-policy']).toContain("connect-src 'self';");
  });

  it('is the same for its owner', async () => {
    const id = await newSealed();
    const { body } = await call('GET /s/{id}', { token: person.token, params: { id } });
    expect(body).toContain('<h1>This snippet is sealed</h1>');
    expect(body).toContain(`data-own="${id}"`);
    expect(body).toContain('Your visits aren’t counted.');
    const { body: preview } = await call('GET /s/{id}', {
      ...{ token: person.token, params: { id }, query: { preview: '' } },
    });
    expect(preview).toContain('<h1>This snippet is sealed</h1>');
  });

  it('has no source, frame and form', async () => {
    const id = await newSealed();
    const source = await raw(id);
    expect([source.status, source.body]).toEqual([
      ...[422, expect.stringMatching(/^This share is sealed: the service can’t read it\./)],
    ]);
    const asPage = await call('GET /s/{id}/raw', {
      ...{ params: { id }, headers: { accept: 'text/html' } },
    });
    expect([asPage.status, asPage.body]).toEqual([
      ...[422, expect.stringContaining('<h1>This snippet is sealed</h1>')],
    ]);
    expect((await frame(id)).status).toBe(404);
    const opened = await open(id, { password: 'Abc123' });
    expect(opened.status).toBe(422);
    expect(opened.body).toContain('<h1>This snippet is sealed</h1>');
    expect(opened.headers).not.toHaveProperty('location');
    expect((await call('GET /s/{id}/embed', { params: { id } })).status).toBe(404);
    expect((await call('GET /s/{id}/live', { params: { id } })).status).toBe(401);
  });

  it('is shown again to who had the last view in this minute', async () => {
    const seal = await newSeal();
    const id = await ann.newShare(await sealedBody(seal, { viewLimit: 1 }));
    const opened = await unseal(id, { proof: seal.proof, claim: 'of this tab' });
    expect([opened.status, opened.body.author]).toEqual([200, 'Ann Example']);
    const again = (claim: string) => call('GET /s/{id}', { params: { id }, query: { claim } });
    const shown = await again('of this tab');
    expect([shown.status, shown.body]).toEqual([
      200,
      expect.stringContaining(`data-sealed="${id}"`),
    ]);
    expect(shown.body).toContain('Opening it again uses none.');
    expect((await again('of another')).status).toBe(410);
    expect((await page(id)).status).toBe(410);
  });

  it('says in its report that moderators can’t read it', async () => {
    const words = 'moderators can’t read it. If you paste the whole link';
    const report = async (id: string) =>
      (await call('GET /s/{id}/report', { params: { id } })).body;
    expect(await report(await newSealed())).toContain(words);
    expect(await report(await ann.newShare({ content: 'Hi', language: 'html' }))).not.toContain(
      words,
    );
  });
});

describe('the weight of the page of a sealed share', () => {
  it('is below 25 KB until it is opened', async () => {
    const { total, assets } = await measurePage('/s/{id}', { params: { id: await newSealed() } });
    const worker = assets.find((path) => path.includes('worker')) ?? '';
    expect(assets.join()).toContain('/sealed.');
    expect(total - (await measureAsset(worker))).toBeLessThan(25 * 1024);
  });
});
