import { describe, expect, it } from 'vitest';
import { hosts, listRoutes } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';
import { call } from '../support/service/call.ts';
import { useTable } from '../support/table/table.ts';

useTable();

const routes = (Object.keys(hosts) as Host[]).flatMap(listRoutes);
const guarded = routes.filter(({ access }) => access !== 'public' && access !== 'optional');

describe.each(guarded)('$method $path', ({ method, path }) => {
  const params = { id: '1' };

  it('rejects a caller without a token before any other check', async () => {
    const { status, body } = await call(`${method} ${path}`, { params, body: '{' });
    expect(status).toBe(401);
    expect(body).toMatchObject({ success: false, error: { code: 'UNAUTHORIZED', details: [] } });
  });

  it('rejects an invalid token', async () => {
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
      "DELETE /api/calendar/events/{id}": "calendar:delete",
      "DELETE /api/calendar/events/{id}/occurrences/{start}": "calendar:update",
      "DELETE /api/calendar/feed": "calendar:view",
      "DELETE /api/documents/trash/{id}": "documents:delete",
      "DELETE /api/documents/{id}": "documents:delete",
      "DELETE /api/files/{id}": "files:delete",
      "DELETE /api/messages/{id}": "messages:delete",
      "DELETE /api/notifications/{id}": "signed-in",
      "DELETE /api/sales/{id}": "sales:delete",
      "DELETE /api/share/{id}": "signed-in",
      "DELETE /api/share/{id}/links/{linkId}": "signed-in",
      "DELETE /api/users/{id}": "users:delete",
      "DELETE /api/users/{id}/sessions": "users:update",
      "DELETE /api/users/{id}/sessions/{sessionId}": "users:update",
      "DELETE /api/users/{id}/tokens/{tokenId}": "users:update",
      "GET /": "optional",
      "GET /account": "optional",
      "GET /api/audit": "audit:view",
      "GET /api/auth/me": "signed-in",
      "GET /api/auth/sessions": "session",
      "GET /api/auth/tokens": "session",
      "GET /api/calendar/events": "calendar:view",
      "GET /api/calendar/events/{id}": "calendar:view",
      "GET /api/calendar/feed": "calendar:view",
      "GET /api/checkin": "signed-in",
      "GET /api/dashboard/calendar": "signed-in",
      "GET /api/dashboard/pie": "dashboard:view",
      "GET /api/dashboard/sales": "dashboard:view",
      "GET /api/dashboard/stats": "dashboard:view",
      "GET /api/dashboard/tasks": "signed-in",
      "GET /api/dashboard/visits": "dashboard:view",
      "GET /api/docs": "optional",
      "GET /api/docs/swagger-ui-bundle.js": "public",
      "GET /api/docs/swagger-ui.css": "public",
      "GET /api/documents": "documents:view",
      "GET /api/documents/trash": "documents:view",
      "GET /api/documents/{id}": "documents:view",
      "GET /api/documents/{id}/readers": "documents:update",
      "GET /api/files": "files:view",
      "GET /api/files/usage": "files:view",
      "GET /api/files/{id}": "files:view",
      "GET /api/files/{id}/download": "files:view",
      "GET /api/health": "public",
      "GET /api/messages": "messages:view",
      "GET /api/messages/conversations": "messages:view",
      "GET /api/messages/conversations/{id}": "messages:view",
      "GET /api/messages/unread-count": "messages:view",
      "GET /api/messages/{id}": "messages:view",
      "GET /api/messages/{id}/attachments/{fileId}": "messages:view",
      "GET /api/notifications": "signed-in",
      "GET /api/notifications/unread-count": "signed-in",
      "GET /api/notifications/updates": "signed-in",
      "GET /api/openapi.json": "public",
      "GET /api/roles": "signed-in",
      "GET /api/sales": "sales:view",
      "GET /api/sales/{id}": "sales:view",
      "GET /api/settings": "settings:view",
      "GET /api/settings/health": "settings:view",
      "GET /api/share": "optional",
      "GET /api/share/summary": "signed-in",
      "GET /api/share/{id}/links": "signed-in",
      "GET /api/shares": "shares:manage",
      "GET /api/shares/{id}": "shares:manage",
      "GET /api/users": "users:view",
      "GET /api/users/me": "signed-in",
      "GET /api/users/{id}": "users:view",
      "GET /api/users/{id}/belongings": "users:delete",
      "GET /api/users/{id}/sessions": "users:update",
      "GET /api/users/{id}/tokens": "users:update",
      "GET /assets/fonts/{file}": "public",
      "GET /assets/licences/{file}": "public",
      "GET /assets/scripts/{file}": "public",
      "GET /assets/styles/{file}": "public",
      "GET /audit": "optional",
      "GET /calendar": "optional",
      "GET /calendar/{token}/events.ics": "public",
      "GET /dashboard": "optional",
      "GET /documents": "optional",
      "GET /documents/{id}": "optional",
      "GET /files": "optional",
      "GET /forgot": "public",
      "GET /health": "public",
      "GET /invite": "public",
      "GET /login": "optional",
      "GET /messages": "optional",
      "GET /moderation": "optional",
      "GET /notifications": "optional",
      "GET /preview": "public",
      "GET /register": "optional",
      "GET /reset": "public",
      "GET /s/{id}": "optional",
      "GET /s/{id}/raw": "public",
      "GET /s/{id}/report": "public",
      "GET /sales": "optional",
      "GET /settings": "optional",
      "GET /shares": "optional",
      "GET /undo-email": "public",
      "GET /users": "optional",
      "GET /{id}": "public",
      "POST /api/auth/forgot-password": "public",
      "POST /api/auth/login": "public",
      "POST /api/auth/logout": "session",
      "POST /api/auth/refresh": "public",
      "POST /api/auth/register": "public",
      "POST /api/auth/reset-password": "public",
      "POST /api/auth/tokens": "session",
      "POST /api/calendar/events": "calendar:create",
      "POST /api/calendar/feed": "calendar:view",
      "POST /api/checkin": "signed-in",
      "POST /api/documents": "documents:create",
      "POST /api/documents/{id}/restore": "documents:delete",
      "POST /api/documents/{id}/share": "documents:update",
      "POST /api/documents/{id}/unshare": "documents:update",
      "POST /api/files/folders": "files:create",
      "POST /api/files/presign": "files:create",
      "POST /api/files/upload": "files:create",
      "POST /api/files/{id}/complete": "files:create",
      "POST /api/files/{id}/share": "files:update",
      "POST /api/files/{id}/unshare": "files:update",
      "POST /api/markdown": "public",
      "POST /api/messages": "messages:create",
      "POST /api/sales": "sales:create",
      "POST /api/sales/{id}/refund": "sales:update",
      "POST /api/settings/test-mail": "settings:view",
      "POST /api/share": "signed-in",
      "POST /api/share/{id}/end": "signed-in",
      "POST /api/share/{id}/links": "signed-in",
      "POST /api/share/{id}/report": "optional",
      "POST /api/users": "users:create",
      "POST /api/users/{id}/invitation": "users:create",
      "POST /invite": "public",
      "POST /reset": "public",
      "POST /s/{id}/open": "public",
      "POST /s/{id}/report": "public",
      "POST /undo-email": "public",
      "PUT /api/auth/password": "session",
      "PUT /api/calendar/events/{id}": "calendar:update",
      "PUT /api/calendar/events/{id}/attendance": "calendar:view",
      "PUT /api/calendar/events/{id}/occurrences/{start}": "calendar:update",
      "PUT /api/documents/{id}": "documents:update",
      "PUT /api/files/{id}": "files:update",
      "PUT /api/messages/{id}/read": "messages:view",
      "PUT /api/notifications/read-all": "signed-in",
      "PUT /api/notifications/{id}/read": "signed-in",
      "PUT /api/sales/{id}": "sales:update",
      "PUT /api/share/{id}": "signed-in",
      "PUT /api/shares/{id}/decision": "shares:manage",
      "PUT /api/users/me": "signed-in",
      "PUT /api/users/{id}": "users:update",
    }
  `);
});
