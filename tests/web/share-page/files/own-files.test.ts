import { describe, expect, it } from 'vitest';
import { writeFiles } from '../../../../shared/markdown/files/file-blocks.ts';
import { open, share, usePages } from '../../../support/pages/served-pages.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';

useTable();
useBucket();
useJobs();
const { service } = usePages();

const app = { name: 'app.ts', language: 'ts', text: '\uFEFFlet a = `b`;\r\n\r\n```\tend' };
const notes = { name: 'no tes & "more".txt', language: 'text', text: 'One\nTwo\n' };

const language = 'markdown';
const linkOf = (text: string, pattern: RegExp): string =>
  text.match(pattern)?.[1]?.replaceAll('&amp;', '&') ?? '';

describe('a share that is one file', () => {
  it('has the exact file as its source', async () => {
    const { id } = await share({ content: writeFiles([app]), language }, await newPerson());
    const { text, headers } = await service(`/s/${id}/raw`);
    expect(text).toBe(app.text);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect((await service(`/s/${id}/raw?file=app.ts`)).text).toBe(app.text);
    const saved = await service(`/s/${id}/raw?download`);
    expect(saved.text).toBe(app.text);
    expect(saved.headers['content-disposition']).toContain('filename=app.ts');
  });

  it('links to it from its page, which numbers its lines', async () => {
    const { id } = await share({ content: writeFiles([app]), language }, await newPerson());
    const { text } = await service(`/s/${id}`);
    expect(text).toContain(`<a class="btn ghost sm end" href="/s/${id}/raw?file=app.ts">Raw</a>`);
    expect(text).toContain('<span class="cut">app.ts · TypeScript</span>');
    expect(text).toContain('data-name="app.ts"');
    expect(text.match(/<b id="L\d+">/g)).toHaveLength(3);
  });

  it('of few readers has the file in its page', async () => {
    const { id } = await share(
      { content: writeFiles([app]), language, viewLimit: 2 },
      await newPerson(),
    );
    expect((await service(`/s/${id}/raw?file=app.ts`)).status).toBe(401);
    const { text } = await service(await open(id));
    const [, json = ''] = text.match(/data-source>([^<]*)</) ?? [];
    expect(JSON.parse(json)).toBe(app.text);
    const raw = linkOf(text, /href="([^"]*file=app\.ts)">Raw/);
    expect((await service(raw)).text).toBe(app.text);
  });
});

describe('a share of several files', () => {
  it('has an exact text for each', async () => {
    const content = writeFiles([app, notes]);
    const { id } = await share({ content, language }, await newPerson());
    const page = await service(`/s/${id}`);
    const links = Array.from(page.text.matchAll(/href="([^"]*file=[^"]*)">Raw/g), ([, link]) =>
      link?.replaceAll('&amp;', '&'),
    );
    expect(links).toHaveLength(2);
    const texts = await Promise.all(links.map((link = '') => service(link)));
    expect(texts.map(({ text }) => text)).toEqual([app.text, notes.text]);
    expect((await service(`/s/${id}/raw`)).text).toBe(content);
    const saved = await service(`${links[1]}&download`);
    expect(saved.headers['content-disposition']).toContain('filename="no tes & _more_.txt"');
  });

  it('has no other file, and HTML has none', async () => {
    const ann = await newPerson();
    const files = await share({ content: writeFiles([app, notes]), language }, ann);
    const html = await share({ content: '```ts title="app.ts"\nx\n```' }, ann);
    for (const path of [`/s/${files.id}/raw?file=b.ts`, `/s/${html.id}/raw?file=app.ts`]) {
      const { status, text } = await service(path);
      expect([status, text]).toEqual([404, 'The share has no file with this name.\n']);
    }
  });
});
