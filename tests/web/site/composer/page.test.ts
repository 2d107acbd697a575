import { beforeAll, describe, expect, it, vi } from 'vitest';
import files from '../../../../functions/web/assets/built/files.json' with { type: 'json' };
import { assetPath } from '../../../../functions/web/layout/asset.ts';
import { pagePolicy } from '../../../../functions/web/layout/policy.ts';
import { measureAsset, measurePage } from '../../../support/pages/compressed-size.ts';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';

const frames = 'https://snippets.test';
useTable();
beforeAll(() => {
  vi.stubEnv('SNIPPETS_URL', frames);
  return () => vi.unstubAllEnvs();
});

const open = (options: { readonly token?: string } = {}) => call('GET /', options);

describe('GET /', () => {
  it('is open to visitors, who read what it is for', async () => {
    const { status, headers, body } = await open();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'content-security-policy': pagePolicy({ frames, anyImages: true }),
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(body).toContain('Write Markdown or HTML and share it as a page.');
    const { token } = await newPerson();
    expect((await open({ token })).body).not.toContain('Write Markdown or HTML and share it');
  });

  it('has a text field before any script runs', async () => {
    const { body } = await open();
    expect(body).toMatch(
      /<label[^>]* for="share-content">Content<\/label><textarea id="share-content"/,
    );
    expect(body).toContain('<noscript>');
  });

  it('contains nothing inline', async () => {
    const { body } = await open();
    expect(body).not.toMatch(/<style| on\w+=| style=|javascript:/);
    const scripts = [...body.matchAll(/<script([^>]*)>/g)].map(([, attributes = '']) => attributes);
    for (const attributes of scripts)
      expect(attributes).toMatch(/ src="\/assets\/|application\/json/);
  });

  it('labels each field and describes it by elements that exist', async () => {
    const { body } = await open();
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const fields = [...body.matchAll(/<(?:select|input|textarea)(?![^>]*type="hidden")[^>]*>/g)];
    expect(fields).toHaveLength(14);
    for (const [tag] of fields) {
      const [, id] = tag.match(/ id="([^"]+)"/) ?? [];
      expect(body.includes(`for="${id}"`) || tag.includes('aria-label='), tag).toBe(true);
    }
    for (const [, named = ''] of body.matchAll(/aria-(?:describedby|labelledby)="([^"]+)"/g)) {
      for (const id of named.split(' ')) expect(ids).toContain(id);
    }
  });

  it('stays within its sizes', async () => {
    const own = await measureAsset(assetPath('composer.js'));
    expect(own).toBeLessThanOrEqual(14_000);
    const styles = ['composer.css', 'prose.css'] as const;
    const sizes = await Promise.all(styles.map((name) => measureAsset(assetPath(name))));
    expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(4 * 1_024);
    const { total } = await measurePage('/');
    // The worker is loaded with the first text.
    const worker = await measureAsset(assetPath('markdown-worker.js'));
    expect(total - worker).toBeLessThanOrEqual(45 * 1_024);
    const editor = Object.keys(files).find((path) => path.includes('/code-editor.')) ?? '';
    expect(await measureAsset(editor)).toBeLessThanOrEqual(130_000);
  });
});
