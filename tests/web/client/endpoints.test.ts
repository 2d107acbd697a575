import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { listRoutes } from '../../../functions/routes.ts';
import { createClient } from '../../../functions/web/browser/client/client.ts';
import { keyedEndpoints } from '../../../functions/web/browser/client/keyed-endpoints.ts';
import { failure, fakeFetch } from '../../support/client/fake-fetch.ts';

const folder = 'functions/web/browser/client';
const routes = listRoutes('service').filter(({ path }) => path.startsWith('/api/'));
const endpointOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('the client', () => {
  it('knows each endpoint that takes an Idempotency-Key', () => {
    const keyed = routes.filter(({ idempotency }) => idempotency).map(endpointOf);
    expect(Object.keys(keyedEndpoints).toSorted()).toEqual(keyed.toSorted());
  });

  it('asks to sign in for each 401 but those of incorrect passwords and tokens', async () => {
    const { fetch } = fakeFetch(() => failure(401));
    const silent: string[] = [];
    for (const route of routes) {
      let isAsked = false;
      const onSignedOut = () => {
        isAsked = true;
        return false;
      };
      const client = createClient({ fetch, onSignedOut });
      const params = {
        id: '1',
        fileId: '1',
        start: '2026-11-23',
        sessionId: '1',
        tokenId: '1',
        linkId: '1',
        version: '1',
      };
      await client.call(endpointOf(route) as never, { params } as never).catch(() => undefined);
      if (!isAsked) silent.push(endpointOf(route));
    }
    const openWithout401 = routes
      .filter(({ access, errors }) => access === 'public' && !errors?.UNAUTHORIZED)
      .map(endpointOf);
    expect(silent.filter((endpoint) => !openWithout401.includes(endpoint)).toSorted()).toEqual([
      'GET /api/share',
      'POST /api/auth/login',
      'POST /api/auth/refresh',
    ]);
    expect(
      routes
        .filter(({ access, errors }) => /public|optional/.test(access) && errors?.UNAUTHORIZED)
        .map(endpointOf)
        .toSorted(),
    ).toEqual(['GET /api/share', 'POST /api/auth/login', 'POST /api/auth/refresh']);
  });

  it('is at most 8 KB in all', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `export * from './client.ts'; export * from './upload.ts'; export * from './api-error.ts';`,
        resolveDir: folder,
      },
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
    const bytes = brotliCompressSync(outputFiles[0]?.contents ?? '', { params }).length;
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThanOrEqual(8 * 1024);
  });
});
