import { describe, expectTypeOf, it } from 'vitest';
import type { Client } from '../../../functions/web/browser/client/client.ts';

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
