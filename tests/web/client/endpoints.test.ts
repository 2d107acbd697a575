import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { listRoutes } from '../../../functions/routes.ts';
import { type Client, createClient } from '../../../functions/web/browser/client/client.ts';
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
        name: 'editors',
        provider: 'google',
        deliveryId: '1',
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
      'POST /api/auth/login/passkey',
      'POST /api/auth/login/passkey/options',
      'POST /api/auth/mfa',
      'POST /api/auth/refresh',
    ]);
    expect(
      routes
        .filter(({ access, errors }) => /public|optional/.test(access) && errors?.UNAUTHORIZED)
        .map(endpointOf)
        .filter((endpoint) => silent.includes(endpoint))
        .toSorted(),
    ).toEqual([
      'GET /api/share',
      'POST /api/auth/login',
      'POST /api/auth/login/passkey',
      'POST /api/auth/login/passkey/options',
      'POST /api/auth/mfa',
      'POST /api/auth/refresh',
    ]);
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

declare const client: Client;

/** Is compiled, never run. */
const compiled = (_calls: () => unknown): void => undefined;

describe('call', () => {
  it('returns what the endpoint responds', () => {
    compiled(() => {
      const params = { id: 7 };
      expectTypeOf(client.call('GET /api/documents/{id}', { params })).resolves.toHaveProperty(
        'title',
      );
      expectTypeOf(client.call('GET /api/roles')).resolves.items.toHaveProperty('permissions');
      // The snippet service has no envelope.
      expectTypeOf(client.call('POST /api/markdown', { body: { markdown: '' } }))
        .resolves.toHaveProperty('html')
        .toEqualTypeOf<string>();
      expectTypeOf(client.call('POST /api/checkin')).resolves.toHaveProperty('points');
      expectTypeOf(client.call('GET /api/documents')).resolves.toHaveProperty('nextCursor');
      expectTypeOf(client.send('GET /api/roles')).resolves.toHaveProperty('etag');
      // Beside `data`.
      expectTypeOf(client.send('POST /api/users/{id}/invitation', { params }))
        .resolves.toHaveProperty('body')
        .toHaveProperty('link');
    });
  });

  it('says that browsers hide the target of a redirect', () => {
    compiled(() => {
      const params = { id: 7 };
      expectTypeOf(client.call('GET /api/files/{id}/download', { params }))
        .resolves.extract<undefined>()
        .toBeUndefined();
    });
  });

  it('refuses a wrong endpoint, parameter, query, body or header', () => {
    compiled(() => [
      // @ts-expect-error: no such path
      client.call('GET /api/documentz'),
      // @ts-expect-error: no such method
      client.call('PUT /api/documents'),
      // @ts-expect-error: not JSON
      client.call('GET /calendar/{token}/events.ics', { params: { token: '' } }),
      // @ts-expect-error: the id is missing
      client.call('GET /api/documents/{id}'),
      // @ts-expect-error: the id has another name
      client.call('GET /api/documents/{id}', { params: { key: 7 } }),
      // @ts-expect-error: no such parameter
      client.call('GET /api/roles', { params: { id: 7 } }),
      // @ts-expect-error: no such order
      client.call('GET /api/documents', { query: { sort: 'size' } }),
      // @ts-expect-error: no such filter
      client.call('GET /api/documents', { query: { size: '1' } }),
      // @ts-expect-error: the body is missing
      client.call('POST /api/auth/login'),
      // @ts-expect-error: the password is missing
      client.call('POST /api/auth/login', { body: { email: 'ann@example.com' } }),
      // @ts-expect-error: a title is a text
      client.call('POST /api/documents', { body: { title: 7 } }),
      // @ts-expect-error: no body
      client.call('GET /api/roles', { body: {} }),
      // @ts-expect-error: has no version
      client.call('POST /api/documents', { body: { title: 'A' }, ifMatch: 1 }),
      // @ts-expect-error: takes no key
      client.call('POST /api/checkin', { idempotencyKey: 'a' }),
      // @ts-expect-error: a form with the file
      client.call('POST /api/files/upload', { body: { file: '' } }),
    ]);
  });
});

describe('items', () => {
  it('have the type of the list', () => {
    compiled(async () => {
      for await (const user of client.items('GET /api/users')) {
        expectTypeOf(user).toHaveProperty('email').toEqualTypeOf<string>();
      }
      for await (const share of client.items('GET /api/share', { query: { mine: 'true' } })) {
        expectTypeOf(share).toHaveProperty('language').toEqualTypeOf<'html' | 'markdown'>();
      }
      // @ts-expect-error: not a list with pages
      client.items('GET /api/roles');
    });
  });
});
