// Addresses of the snippets host that are opened by themselves. The CDN before it is in `cdn.test.ts` and `infra/edge.test.ts`.

import { describe, expect, it } from 'vitest';
import { open, share, usePages } from '../../support/pages/served-pages.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';

useTable();
useJobs();

const { snippets } = usePages();
const alone = { 'sec-fetch-dest': 'document' };

describe('an address of the snippets host', () => {
  it('leads to the page of its share in a browser, whatever it holds', async () => {
    const { id } = await share({ content: '<p>Hi</p>' });
    for (const [path, location] of [
      [id, `/s/${id}`],
      ['nothing', '/s/nothing'],
      ['preview', '/'],
      ['diagram', '/'],
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, bytes } = await snippets(`/${path}`, alone, method);
        expect([status, headers.location, bytes.length]).toEqual([
          303,
          `https://handbill.test${location}`,
          0,
        ]);
        expect(headers).toMatchObject({ vary: 'sec-fetch-dest', 'cache-control': 'no-store' });
      }
    }
  });

  it('shows its content in a frame, and to clients that don’t say what they load it for', async () => {
    const { id } = await share({ content: '<p>Hi</p>' });
    for (const headers of [{}, { 'sec-fetch-dest': 'iframe' }, { 'sec-fetch-dest': 'empty' }]) {
      const { status, text, headers: got } = await snippets(`/${id}`, headers);
      expect([status, text.endsWith('<p>Hi</p>')]).toEqual([200, true]);
      expect(got.vary).toBe('accept-encoding, sec-fetch-dest');
    }
    const preview = await snippets('/preview');
    expect([preview.status, preview.headers.vary]).toEqual([200, 'sec-fetch-dest']);
  });

  it('is led nowhere by what the browser keeps of the frame', async () => {
    const { id } = await share({ content: '<p>Hi</p>' });
    const { etag = '' } = (await snippets(`/${id}`)).headers;
    const { status } = await snippets(`/${id}`, { ...alone, 'if-none-match': etag });
    expect(status).toBe(303);
  });

  it('tells where to go if it has a view token, which it passes on to no page', async () => {
    const { id } = await share({ content: '<p>Secret</p>', viewLimit: 3 });
    const token = new URL(await open(id), 'https://a.test').searchParams.get('view');
    const { status, headers, text } = await snippets(`/${id}?view=${token}`, alone);
    expect([status, headers['cache-control'], headers.location]).toEqual([
      403,
      'no-store',
      undefined,
    ]);
    expect(text).toContain(`<a href="https://handbill.test/s/${id}">Go to snippet</a>`);
    expect(text).not.toMatch(/Secret|view=|<script/);
    const inFrame = { 'sec-fetch-dest': 'iframe' };
    expect((await snippets(`/${id}?view=${token}`, inFrame)).text).toContain('Secret');
  });

  it('that no share can have has nothing, which doesn’t advise to reload', async () => {
    const { status, text } = await snippets('/page2.html', { ...alone, accept: 'text/html' });
    expect([status, text.includes('There is nothing at this address.')]).toEqual([404, true]);
    expect(text).not.toContain('Reload');
  });
});
