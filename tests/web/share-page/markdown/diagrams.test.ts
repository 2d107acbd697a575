// What the pages of a share have for their diagrams. How they are drawn is in `browser/share/share-diagrams.test.ts`.

import { describe, expect, it } from 'vitest';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { measurePage } from '../../../support/pages/compressed-size.ts';
import { open, share, usePages } from '../../../support/pages/served-pages.ts';
import { call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { useTable } from '../../../support/table/table.ts';

useTable();
useJobs();

const { service } = usePages();

const diagram = '```mermaid\ngraph TD; A --> B;\n```\n';

const create = (content: string, fields: object = {}) =>
  share({ language: 'markdown', embedOrigins: ['https://blog.example.com'], content, ...fields });

const frames = (headers: Readonly<Record<string, unknown>>): string =>
  String(headers['content-security-policy']).match(/frame-src ([^;]*)/)?.[1] ?? '';

describe('a Markdown page', () => {
  it('with a diagram may frame the snippets host, names the frame that draws and loads its script', async () => {
    const { id } = await create(diagram);
    const { headers, body } = await call('GET /s/{id}', { params: { id } });
    expect(frames(headers)).toBe(getSetting('SNIPPETS_URL'));
    expect(body).toContain(` data-diagrams="${getSetting('SNIPPETS_URL')}/diagram"`);
    expect(body).toContain('<pre tabindex="0"><code class="language-mermaid"');
    expect(body.match(/src="\/assets\/scripts\/share-diagrams\./g)).toHaveLength(1);
  });

  it('of a share with a limit has them once it is open, and the frame’s address says nothing of it', async () => {
    const { id } = await create(diagram, { viewLimit: 3 });
    const asked = await call('GET /s/{id}', { params: { id } });
    expect(frames(asked.headers)).toBe("'none'");
    const query = Object.fromEntries(new URL(await open(id), 'https://a.test').searchParams);
    const { headers, body } = await call('GET /s/{id}', { params: { id }, query });
    expect(frames(headers)).toBe(getSetting('SNIPPETS_URL'));
    expect(body).toContain(` data-diagrams="${getSetting('SNIPPETS_URL')}/diagram"`);
  });

  it.each([
    ['no diagram', '# Hi\n\n```js\nlet mermaid;\n```\n'],
    ['text that looks like one', '`<pre><code class="language-mermaid">`'],
    ['HTML that looks like one', '<pre><code class="language-mermaid">graph TD;</code></pre>'],
  ])('with %s frames nothing and loads not one byte of it', async (_, content) => {
    const { id } = await create(content);
    const { headers, body } = await call('GET /s/{id}', { params: { id } });
    expect(frames(headers)).toBe("'none'");
    expect(body).not.toMatch(/share-diagrams|data-diagrams/);
    const { assets } = await measurePage('/s/{id}', { params: { id } });
    const names = assets.map((path) => path.replace(/\.\w+(\.\w+)$/, '$1')).sort();
    expect(names).toEqual(['/assets/scripts/share.js', '/assets/styles/share.css']);
  });

  it('for embedding and of revisions has the code', async () => {
    const { id, token } = await create(diagram);
    const params = { id };
    await call('PUT /api/share/{id}', { params, token, body: { content: `${diagram}\nMore` } });
    const query = { version: '1' };
    for (const { headers, body } of [
      await call('GET /s/{id}/embed', { params }),
      await call('GET /s/{id}/revisions', { params, token, query }),
    ]) {
      expect(body).toContain('graph TD; A --&gt; B;');
      expect(body).not.toMatch(/share-diagrams|data-diagrams/);
      expect(frames(headers)).toBe("'none'");
    }
    const { text } = await service(`/s/${id}/raw?download=page`);
    expect(text).toContain('graph TD; A --&gt; B;');
    expect(text).not.toMatch(/share-diagrams|data-diagrams|<script/);
  });
});

describe('a page of HTML', () => {
  it('may frame the snippets host', async () => {
    const { id } = await share({ content: '<p>Hi</p>' });
    const { headers } = await call('GET /s/{id}', { params: { id } });
    expect(frames(headers)).toBe(getSetting('SNIPPETS_URL'));
  });
});
