import { describe, expect, it } from 'vitest';
import { call } from '../../support/service/call.ts';
import { runJobs, useJobs } from '../../support/service/jobs.ts';
import { endAsReader, sharesOf } from '../../support/shares/requests.ts';
import { frame, page } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useTable();
useJobs();

const blog = 'https://blog.example.com';
const { person } = useNewPeople({ person: newPerson });
const ann = sharesOf(person);

const embed = (id: string, headers: Readonly<Record<string, string>> = {}) =>
  call('GET /s/{id}/embed', { params: { id }, headers });
const ancestorsOf = ({ headers }: Awaited<ReturnType<typeof embed>>) =>
  headers['content-security-policy']?.match(/frame-ancestors ([^;]+)/)?.[1];

describe('embedding a share', () => {
  it('is off by default', async () => {
    const id = await ann.newShare();
    expect((await ann.look(id)).body.embedOrigins).toEqual([]);
    expect((await embed(id)).status).toBe(404);
    expect([ancestorsOf(await page(id)), ancestorsOf(await frame(id))]).toEqual([
      "'none'",
      'https://handbill.test',
    ]);
  });

  it('is allowed for the sites of the owner, and for no others', async () => {
    const id = await ann.newShare({
      title: 'Offer',
      embedOrigins: [`${blog}/`, 'HTTPS://Shop.example.com:8443', blog],
    });
    const origins = [blog, 'https://shop.example.com:8443'];
    expect((await ann.look(id)).body.embedOrigins).toEqual(origins);
    const shown = await embed(id);
    expect([shown.status, ancestorsOf(shown)]).toEqual([200, origins.join(' ')]);
    expect(ancestorsOf(await frame(id))).toBe(['https://handbill.test', ...origins].join(' '));
    expect(ancestorsOf(await page(id))).toBe("'none'");
    expect(shown.body).toContain('<base target="_blank">');
    expect(shown.body).not.toContain('<script');
    await ann.put(id, { embedOrigins: ['*'] });
    expect(ancestorsOf(await embed(id))).toBe('*');
    await ann.put(id, { embedOrigins: [] });
    expect((await embed(id)).status).toBe(404);
    expect(ancestorsOf(await frame(id))).toBe('https://handbill.test');
  });

  it('shows Markdown with its author, and counts the views, but no prefetches', async () => {
    const id = await ann.newShare({
      content: '# Hi\n\n[There](https://example.com/)',
      language: 'markdown',
      embedOrigins: [blog],
    });
    await embed(id, { 'sec-purpose': 'prefetch;prerender' });
    const { body } = await embed(id, { 'sec-fetch-dest': 'iframe' });
    expect(body).toMatch(/<h1[^>]*>Hi<.h1>/);
    expect(body).toContain(`href="https://handbill.test/s/${id}"`);
    await runJobs();
    expect((await ann.look(id)).body.views).toBe(1);
  });

  it.each([
    ['a password', { password: 'Abc123' }],
    ['a limit', { viewLimit: 2 }],
  ])('shows only a way to the page of a share with %s', async (_, rules) => {
    const id = await ann.newShare({ title: 'Offer', embedOrigins: [blog], ...rules });
    const { status, body } = await embed(id);
    expect(status).toBe(200);
    expect(body).toContain(`<a class="btn primary" href="https://handbill.test/s/${id}">`);
    expect(body).toContain(`href="/s/${id}/report"`);
    expect(body).not.toContain('Offer');
    expect(body).not.toContain('iframe');
    expect((await frame(id)).status).toBe(404);
  });

  it('says on any site that a share has ended', async () => {
    const id = await ann.newShare({ embedOrigins: [blog], readersCanEnd: true });
    await endAsReader(id);
    const ended = await embed(id);
    expect([ended.status, ancestorsOf(ended)]).toEqual([410, '*']);
    expect(ended.body).toContain('This share has ended');
    expect(ended.body).toContain('href="/">Handbill<');
    expect(ended.body).not.toContain('<form');
  });

  it.each([
    ['http://blog.example.com'],
    ['blog.example.com'],
    ['https://blog.example.com/page'],
    ["'self'"],
    ['https://*.example.com; script-src *'],
    [7],
  ])('takes no other origins: %j', async (origin) => {
    const { status, body } = await ann.create({ embedOrigins: [blog, origin] });
    expect([status, body.error.details[0].field]).toEqual([400, 'embedOrigins.1']);
  });

  it('takes up to ten origins', async () => {
    const origins = Array.from({ length: 11 }, (_, at) => `https://site-${at}.example.com`);
    expect((await ann.create({ embedOrigins: origins })).status).toBe(400);
    expect((await ann.create({ embedOrigins: origins.slice(1) })).status).toBe(201);
  });
});
