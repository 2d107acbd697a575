import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { type CallOptions, call } from '../service/call.ts';

const headers = { 'accept-encoding': 'br' };

/** Returns the compressed size of an asset, in bytes, by its path. */
export const measureAsset = async (path: string): Promise<number> => {
  const [, , folder = '', file = ''] = path.split('/');
  const { status, body } = await call(`GET /assets/${folder}/{file}`, {
    params: { file },
    headers,
  });
  expect(status, path).toBe(200);
  return Buffer.from(body, 'base64').length;
};

/** Returns a page, as its user gets it, the paths of the assets that it loads, and the compressed size of all of them in bytes. */
export const measurePage = async (
  path: string,
  user: Pick<CallOptions, 'token' | 'params'> = {},
) => {
  const response = await call(`GET ${path}`, { headers, ...user });
  expect(response.headers['content-encoding']).toBe('br');
  const sent = Buffer.from(response.body, 'base64');
  const page = brotliDecompressSync(sent).toString();
  const loaded = page.matchAll(/(?:href|src|data-worker)="(\/assets\/[^"]+)"/g);
  const assets = [...loaded].map(([, asset = '']) => asset);
  const sizes = await Promise.all(assets.map(measureAsset));
  return { page, assets, total: sizes.reduce((sum, bytes) => sum + bytes, sent.length) };
};
