import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import manifest from '../../../functions/web/snippet/built/diagram-manifest.json' with {
  type: 'json',
};
import scripts from '../../../functions/web/snippet/built/diagram-scripts.json' with {
  type: 'json',
};
import { getSetting } from '../../../shared/runtime/settings.ts';
import { call } from '../../support/service/call.ts';

const texts: Readonly<Record<string, string>> = scripts;

const ask = (file: string, acceptEncoding?: string) =>
  call('GET /diagram/{file}', {
    params: { file },
    ...(acceptEncoding !== undefined && { headers: { 'accept-encoding': acceptEncoding } }),
  });

/** The compressed size in bytes of all scripts that load with these. */
const measure = async (files: readonly string[]): Promise<number> => {
  const sizes = files.map(
    async (file) => Buffer.from((await ask(file, 'br')).body, 'base64').length,
  );
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
};

describe('GET /diagram', () => {
  it('may run its own scripts and nothing else, for the pages of this service only', async () => {
    const { status, headers, body } = await call('GET /diagram');
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=300']);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual([
      'sandbox allow-scripts',
      "default-src 'none'",
      `script-src ${getSetting('SNIPPETS_URL')}/diagram/`,
      "style-src 'unsafe-inline'",
      'img-src data:',
      "form-action 'none'",
      "base-uri 'none'",
      `frame-ancestors ${getSetting('PUBLIC_URL')}`,
    ]);
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(body).toContain(`data-page="${getSetting('PUBLIC_URL')}"`);
    const loaded = [...body.matchAll(/(?:src|href)="\/diagram\/([^"]+)"/g)].map(([, file]) => file);
    expect(loaded).toEqual([...manifest.chunks, manifest.entry]);
  });
});

describe('GET /diagram/{file}', () => {
  it('serves a script for good, to the frame of an opaque origin, in the best encoding', async () => {
    const text = texts[manifest.entry];
    const { status, headers, body } = await ask(manifest.entry);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      vary: 'accept-encoding',
    });
    expect(Buffer.from(body, 'base64').toString()).toBe(text);
    const br = await ask(manifest.entry, 'gzip, br');
    expect(br.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(Buffer.from(br.body, 'base64')).toString()).toBe(text);
    const gzip = await ask(manifest.entry, 'gzip');
    expect(gunzipSync(Buffer.from(gzip.body, 'base64')).toString()).toBe(text);
  });

  it('has nothing at other names', async () => {
    for (const file of ['diagram.js', 'constructor', '__proto__', '..%2Fdiagram-manifest.json']) {
      expect((await ask(file)).status, file).toBe(404);
    }
  });

  it('has names with a hash, and no script that a response of Lambda can’t hold', () => {
    for (const [file, text] of Object.entries(texts)) {
      expect(file).toMatch(/^[\w-]+\.(?:[\w-]+\.)?[A-Z0-9]{8}\.js$/);
      // Base64 adds a third, and the limit is 6 MB.
      expect(Buffer.byteLength(text), file).toBeLessThan(1.5 * 1024 * 1024);
    }
  });

  it('has no ELK, and neither eval nor requests', () => {
    for (const [file, text] of Object.entries(texts)) {
      expect(text, file).not.toMatch(
        /org\.eclipse\.elk\.alg|\beval\(|new Function\(|\bXMLHttpRequest\b/,
      );
    }
  });

  it('loads at most 170 KB before the kind of a diagram, and 60 KB for a flowchart', async () => {
    expect(await measure([...manifest.chunks, manifest.entry])).toBeLessThan(170 * 1024);
    const sizes = Object.values(texts).map((text) => text.length);
    expect(sizes.reduce((sum, length) => sum + length, 0)).toBeLessThan(3.8 * 1024 * 1024);
    const kind = Object.keys(texts).filter((file) => /^(?:flowDiagram|dagre)-/.test(file));
    expect(kind).toHaveLength(2);
    const imported = (file: string, all = new Set<string>()): ReadonlySet<string> => {
      if (all.has(file)) return all;
      all.add(file);
      for (const [, next = ''] of (texts[file] ?? '').matchAll(
        /(?:from|import)\s*"\.\/([^"]+)"/g,
      )) {
        imported(next, all);
      }
      return all;
    };
    const first = new Set([...manifest.chunks, manifest.entry]);
    const later = new Set(kind.flatMap((file) => [...imported(file)]));
    expect(await measure([...later].filter((file) => !first.has(file)))).toBeLessThan(60 * 1024);
  });
});
