import { describe, expect, it } from 'vitest';
import { open, share, usePages } from '../../../support/pages/served-pages.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';

useTable();
useBucket();
useJobs();
const { service } = usePages();

const content =
  '# A \\<b> title\n\n> [!TIP]\n> $x$\n\n```js\nlet a;\n```\n\n![](https://a.example/b.png)';

describe('a Markdown share saved as one file', () => {
  it('has its styles within, and nothing else to load but images', async () => {
    const { id } = await share(
      { content, language: 'markdown', description: 'About <it>' },
      await newPerson(),
    );
    const { status, headers, text } = await service(`/s/${id}/raw?download=page`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'content-disposition': expect.stringContaining('filename="A b title.html"'),
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    expect(text).toMatch(/<style>.*color-scheme:light dark.*\.prose.*\.alert.*<\/style>/s);
    expect(text).toContain('<title>A &lt;b&gt; title</title>');
    expect(text).toContain('About &lt;it&gt;');
    expect(text).toMatch(/By <bdi>[^<]+<\/bdi> · <time/);
    expect(text).toContain('<div class="alert tip"');
    expect(text).toContain('<math><mi>x</mi></math>');
    expect(text).toContain('hljs-keyword');
    expect(text.match(/ src="[^"]*"/g)).toEqual([' src="https://a.example/b.png"']);
    expect(text).not.toMatch(/<(?:script|link|iframe|button)\b|@import|@font-face|url\("?\//);
  });

  it('has the title of its front matter, as its page has, unless it was given one', async () => {
    const ann = await newPerson();
    const text = "---\ntitle: Ann's plan\ntags: [a, b]\n---\n\n# Other\n";
    const made = async (more: Record<string, unknown>) => {
      const { id } = await share({ content: text, language: 'markdown', ...more }, ann);
      return Promise.all([service(`/s/${id}`), service(`/s/${id}/raw?download=page`)]);
    };
    const [page, saved] = await made({});
    for (const { text: html } of [page, saved]) {
      expect(html).toContain('<title>Ann&#39;s plan</title>');
      expect(html).toContain('<h1 class="title" dir="auto">Ann&#39;s plan</h1>');
      expect(html).toMatch(/<th>title<\/th>\s*<th>tags<\/th>/);
    }
    expect(saved.headers['content-disposition']).toContain('filename="Ann');
    const [given] = await made({ title: 'Given' });
    expect(given.text).toContain('<title>Given</title>');
  });

  it('is as sent with the other link, also for HTML', async () => {
    const ann = await newPerson();
    const markdown = await share({ content, language: 'markdown' }, ann);
    const asSent = await service(`/s/${markdown.id}/raw?download`);
    expect(asSent.text).toBe(content);
    expect(asSent.headers['content-disposition']).toContain('.md"');
    const html = await share({ content: '<p>a</p>', title: 'T' }, ann);
    for (const query of ['download', 'download=page']) {
      const { text, headers } = await service(`/s/${html.id}/raw?${query}`);
      expect(text).toBe('<p>a</p>');
      expect(headers['content-disposition']).toContain('filename=T.html');
      expect(headers['content-type']).toContain('text/plain');
    }
  });

  it('needs the view of a limited share', async () => {
    const { id } = await share({ content, language: 'markdown', viewLimit: 1 }, await newPerson());
    expect((await service(`/s/${id}/raw?download=page`)).status).toBe(401);
    const page = await service(await open(id));
    const [, link = ''] = page.text.match(/href="(\/s\/[^"]*download=page)"/) ?? [];
    const { status, text } = await service(link.replaceAll('&amp;', '&'));
    expect(status).toBe(200);
    expect(text).toContain('<math>');
  });
});
