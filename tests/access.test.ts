import { describe, expect, it } from 'vitest';
import { type Host, hosts, routesOf } from '../functions/routes.ts';
import { call } from './support/call.ts';
import { useTable } from './support/table.ts';

useTable();

const routes = (Object.keys(hosts) as Host[]).flatMap(routesOf);
const guarded = routes.filter(({ access }) => access !== 'public' && access !== 'optional');

describe.each(guarded)('$method $path', ({ method, path }) => {
  const params = { id: '1' };

  it('refuses a caller without a token, before it looks at anything else', async () => {
    const { status, body } = await call(`${method} ${path}`, { params, body: '{' });
    expect(status).toBe(401);
    expect(body).toMatchObject({ success: false, error: { code: 'UNAUTHORIZED', details: [] } });
  });

  it('refuses a token that is not one', async () => {
    const headers = { authorization: 'Bearer not.a.token' };
    expect(await call(`${method} ${path}`, { params, headers })).toMatchObject({ status: 401 });
  });
});

it('guards at least the routes of accounts and shares', () => {
  expect(guarded.length).toBeGreaterThanOrEqual(6);
});

it('matches the reviewed access table', () => {
  expect(
    Object.fromEntries(routes.map(({ method, path, access }) => [`${method} ${path}`, access])),
  ).toMatchInlineSnapshot(`
    {
      "DELETE /api/auth/sessions/{id}": "session",
      "DELETE /api/auth/tokens/{id}": "session",
      "DELETE /api/documents/trash/{id}": "documents:delete",
      "DELETE /api/documents/{id}": "documents:delete",
      "DELETE /api/share/{id}": "signed-in",
      "DELETE /api/users/{id}": "users:delete",
      "GET /": "public",
      "GET /account": "public",
      "GET /api/audit": "audit:view",
      "GET /api/auth/me": "signed-in",
      "GET /api/auth/sessions": "session",
      "GET /api/auth/tokens": "session",
      "GET /api/checkin": "signed-in",
      "GET /api/docs": "public",
      "GET /api/docs/swagger-ui-bundle.js": "public",
      "GET /api/docs/swagger-ui.css": "public",
      "GET /api/documents": "documents:view",
      "GET /api/documents/trash": "documents:view",
      "GET /api/documents/{id}": "documents:view",
      "GET /api/health": "public",
      "GET /api/openapi.json": "public",
      "GET /api/roles": "signed-in",
      "GET /api/share": "optional",
      "GET /api/shares": "shares:manage",
      "GET /api/shares/{id}": "shares:manage",
      "GET /api/users": "users:view",
      "GET /api/users/me": "signed-in",
      "GET /api/users/{id}": "users:view",
      "GET /assets/scripts/{file}": "public",
      "GET /assets/styles/{file}": "public",
      "GET /forgot": "public",
      "GET /health": "public",
      "GET /invite": "public",
      "GET /login": "public",
      "GET /preview": "public",
      "GET /register": "public",
      "GET /reset": "public",
      "GET /s/{id}": "public",
      "GET /s/{id}/raw": "public",
      "GET /s/{id}/report": "public",
      "GET /shares": "public",
      "GET /{id}": "public",
      "POST /api/auth/forgot-password": "public",
      "POST /api/auth/login": "public",
      "POST /api/auth/logout": "session",
      "POST /api/auth/refresh": "public",
      "POST /api/auth/register": "public",
      "POST /api/auth/reset-password": "public",
      "POST /api/auth/tokens": "session",
      "POST /api/checkin": "signed-in",
      "POST /api/documents": "documents:create",
      "POST /api/documents/{id}/restore": "documents:delete",
      "POST /api/documents/{id}/share": "documents:update",
      "POST /api/documents/{id}/unshare": "documents:update",
      "POST /api/markdown": "public",
      "POST /api/share": "signed-in",
      "POST /api/share/{id}/report": "optional",
      "POST /api/users": "users:create",
      "POST /api/users/{id}/invitation": "users:create",
      "POST /invite": "public",
      "POST /reset": "public",
      "POST /s/{id}/open": "public",
      "POST /s/{id}/report": "public",
      "PUT /api/auth/password": "session",
      "PUT /api/documents/{id}": "documents:update",
      "PUT /api/share/{id}": "signed-in",
      "PUT /api/shares/{id}/decision": "shares:manage",
      "PUT /api/users/me": "signed-in",
      "PUT /api/users/{id}": "users:update",
    }
  `);
});
