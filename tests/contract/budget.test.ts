import { beforeAll, expect, it, vi } from 'vitest';
import { hosts, listRoutes } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';
import { pass, useVirtualTime } from '../support/run/virtual-time.ts';
import { useBucket } from '../support/s3/local-s3.ts';
import type { TypicalCalls } from '../support/sample-requests/sample-request.ts';
import { auditCalls } from '../support/sample-requests/users.ts';
import { allTypicalCalls, getSampleStatus } from '../support/service/all-sample-requests.ts';
import { useJobs } from '../support/service/jobs.ts';
import { largeCalls } from '../support/service/large-requests.ts';
import { useMail } from '../support/service/mail.ts';
import { type Consumption, meterAws } from '../support/table/meter.ts';
import { useTable } from '../support/table/table.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();
useJobs();
useMail();

const calls: TypicalCalls = {
  // First, because it aggregates all activity recorded before.
  ...auditCalls,
  ...(await allTypicalCalls()),
  ...largeCalls,
};

const routes = (Object.keys(hosts) as Host[]).flatMap(listRoutes);
const nameOf = ({ method, path }: (typeof routes)[number]) => `${method} ${path}`;
const endpointOf = (call: string) => call.replace(/ \(.*\)$/, '');
const routeOf = (call: string) => routes.find((route) => nameOf(route) === endpointOf(call));

/** After this time, no rate limit bucket needs a second write. */
const limitMs = 60 * 60_000;

const used = new Map<string, Consumption>();
beforeAll(async () => {
  // Email is enabled, as in a deployment.
  vi.stubEnv('MAIL_FROM', 'handbill@example.com');
  const meter = meterAws();
  for (const [name, prepare] of Object.entries(calls)) {
    pass(limitMs);
    const send = await prepare();
    const { result, ...consumption } = await meter.measure(send);
    const expected = getSampleStatus(name, routeOf(name) ?? expect.unreachable());
    expect(result.status, `${name}: ${JSON.stringify(result.body)}`).toBe(expected);
    used.set(name, consumption);
  }
  return () => {
    meter.stop();
    vi.unstubAllEnvs();
  };
});

const counted = (count: number, unit: string) => (count > 0 ? [`${count} ${unit}`] : []);

/** Reads all shares, which are in shards by their random ids: each shard rounds up by itself. */
const ofAllShards = 'GET /api/shares/export';

const roundIfSharded = (name: string, one: Consumption): Consumption =>
  name === ofAllShards ? { ...one, readUnits: Math.round(one.readUnits / 20) * 20 } : one;

/** Formats table units, sequential round trips to the table, and requests to the bucket and queue. */
const lineOf = ({ readUnits, writeUnits, tableTrips, requests }: Consumption): string =>
  [
    ...counted(readUnits, 'RU'),
    ...counted(writeUnits, 'WU'),
    ...counted(tableTrips, tableTrips === 1 ? 'trip' : 'trips'),
    ...counted(requests.bucket, 'S3'),
    ...counted(requests.queue, 'SQS'),
  ].join(' ') || 'nothing';

it('includes every route', () => {
  const known = new Set(Object.keys(calls).map(endpointOf));
  const missing = routes.map(nameOf).filter((name) => !known.has(name));
  const how =
    'Add a typical call of each to a file of tests/support/sample-requests, have its line written by `npx vitest run -u --config tests/vitest.config.ts tests/contract/budget.test.ts`, and look at it';
  expect(missing, how).toEqual([]);
  expect([...known].filter((name) => !routeOf(name))).toEqual([]);
});

// Units are those of the local engine, without index writes.
it('limits the units and round trips of each request', () => {
  const lines = Object.fromEntries(
    [...used].map(([name, one]) => [name, lineOf(roundIfSharded(name, one))]),
  );
  expect(lines).toMatchInlineSnapshot(`
    {
      "DELETE /api/apps/{id}": "3 RU 6 WU 3 trips",
      "DELETE /api/auth/identities/{provider}": "4 RU 12 WU 3 trips",
      "DELETE /api/auth/passkeys/{id}": "4 RU 10 WU 3 trips",
      "DELETE /api/auth/pending-email": "3 RU 6 WU 3 trips",
      "DELETE /api/auth/sessions/{id}": "3 RU 6 WU 3 trips",
      "DELETE /api/auth/tokens/{id}": "3 RU 6 WU 3 trips",
      "DELETE /api/auth/totp": "4 RU 10 WU 3 trips",
      "DELETE /api/calendar/events/{id}": "3 RU 16 WU 3 trips",
      "DELETE /api/calendar/events/{id}/occurrences/{start}": "5 RU 14 WU 5 trips",
      "DELETE /api/calendar/feed": "3 RU 6 WU 3 trips",
      "DELETE /api/documents/trash/{id}": "3 RU 12 WU 3 trips",
      "DELETE /api/documents/{id}": "3 RU 26 WU 3 trips",
      "DELETE /api/files/trash/{id}": "4 RU 15 WU 4 trips 1 S3",
      "DELETE /api/files/{id}": "4 RU 30 WU 3 trips",
      "DELETE /api/messages/{id}": "9 RU 10 WU 5 trips",
      "DELETE /api/notifications/{id}": "4 RU 4 WU 3 trips",
      "DELETE /api/roles/{name}": "3 RU 8 WU 3 trips",
      "DELETE /api/sales/{id}": "3 RU 18 WU 3 trips",
      "DELETE /api/share/received/{id}": "4 RU 4 WU 3 trips",
      "DELETE /api/share/requests/{id}": "3 RU 8 WU 3 trips",
      "DELETE /api/share/uploads/{id}": "3 RU 8 WU 3 trips 1 S3",
      "DELETE /api/share/{id}": "3 RU 14 WU 3 trips",
      "DELETE /api/share/{id}/links/{linkId}": "4 RU 6 WU 3 trips",
      "DELETE /api/users/me": "5 RU 22 WU 9 trips",
      "DELETE /api/users/me/exports/{id}": "4 RU 10 WU 4 trips",
      "DELETE /api/users/{id}": "23 RU 29 WU 10 trips",
      "DELETE /api/users/{id}/factors": "4 RU 10 WU 3 trips",
      "DELETE /api/users/{id}/sessions": "3 RU 6 WU 3 trips",
      "DELETE /api/users/{id}/sessions/{sessionId}": "4 RU 6 WU 4 trips",
      "DELETE /api/users/{id}/tokens/{tokenId}": "4 RU 6 WU 4 trips",
      "DELETE /api/webhooks/{id}": "4 RU 10 WU 3 trips",
      "GET /": "nothing",
      "GET /.well-known/oauth-authorization-server": "nothing",
      "GET /.well-known/oauth-protected-resource": "nothing",
      "GET /.well-known/oauth-protected-resource/mcp": "nothing",
      "GET /account": "5 RU 2 trips",
      "GET /api/apps": "4 RU 3 trips",
      "GET /api/apps/request": "2 RU 1 WU 2 trips",
      "GET /api/audit": "12.5 RU 2 trips",
      "GET /api/audit (about one subject)": "4 RU 2 trips",
      "GET /api/audit/export": "23 RU 5 WU 5 trips",
      "GET /api/auth/factors": "4 RU 2 trips",
      "GET /api/auth/identities": "4 RU 2 trips",
      "GET /api/auth/me": "2 RU 1 trip",
      "GET /api/auth/sessions": "3 RU 2 trips",
      "GET /api/auth/tokens": "3 RU 2 trips",
      "GET /api/calendar/events": "19 RU 2 trips",
      "GET /api/calendar/events (invited)": "9 RU 3 trips",
      "GET /api/calendar/events/{id}": "4 RU 3 trips",
      "GET /api/calendar/feed": "3 RU 2 trips",
      "GET /api/checkin": "3 RU 2 trips",
      "GET /api/dashboard/calendar": "8 RU 3 trips",
      "GET /api/dashboard/pie": "10 RU 2 trips",
      "GET /api/dashboard/sales": "10 RU 2 trips",
      "GET /api/dashboard/stats": "22 RU 2 trips",
      "GET /api/dashboard/tasks": "4 RU 2 trips",
      "GET /api/dashboard/visits": "6 RU 2 trips",
      "GET /api/docs": "nothing",
      "GET /api/docs/swagger-ui-bundle.js": "nothing",
      "GET /api/docs/swagger-ui.css": "nothing",
      "GET /api/docs/{group}": "nothing",
      "GET /api/documents": "7 RU 1 trip",
      "GET /api/documents/names": "11 RU 2 trips",
      "GET /api/documents/trash": "5 RU 1 trip",
      "GET /api/documents/{id}": "4 RU 2 trips",
      "GET /api/documents/{id}/readers": "5 RU 3 trips",
      "GET /api/documents/{id}/revisions": "4 RU 3 trips",
      "GET /api/documents/{id}/revisions/{version}": "5 RU 3 trips",
      "GET /api/documents/{id}/revisions/{version}/diff": "6 RU 1 WU 4 trips",
      "GET /api/files": "8 RU 1 trip",
      "GET /api/files (of a folder)": "15 RU 2 trips",
      "GET /api/files (shared)": "15 RU 2 trips",
      "GET /api/files/trash": "7 RU 1 trip",
      "GET /api/files/usage": "3 RU 2 trips",
      "GET /api/files/{id}": "4 RU 2 trips",
      "GET /api/files/{id}/download": "4 RU 2 trips",
      "GET /api/files/{id}/readers": "6 RU 3 trips",
      "GET /api/files/{id}/thumbnail": "5 RU 2 trips",
      "GET /api/health": "0.5 RU 1 trip",
      "GET /api/messages": "17 RU 5 trips",
      "GET /api/messages (searched)": "31 RU 7 trips",
      "GET /api/messages/conversations": "26 RU 4 trips",
      "GET /api/messages/conversations (searched)": "39 RU 6 trips",
      "GET /api/messages/conversations/{id}": "17 RU 4 trips",
      "GET /api/messages/unread-count": "3 RU 1 trip",
      "GET /api/messages/{id}": "10 RU 4 trips",
      "GET /api/messages/{id}/attachments/{fileId}": "9 RU 4 trips",
      "GET /api/notifications": "5 RU 3 trips",
      "GET /api/notifications (of a type)": "6 RU 3 trips",
      "GET /api/notifications (unread ones)": "5 RU 3 trips",
      "GET /api/notifications/unread-count": "3 RU 1 trip",
      "GET /api/notifications/updates": "3 RU 2 trips",
      "GET /api/openapi.json": "nothing",
      "GET /api/permissions": "2 RU 1 trip",
      "GET /api/roles": "3 RU 2 trips",
      "GET /api/roles/{name}": "4 RU 2 trips",
      "GET /api/sales": "19 RU 2 trips",
      "GET /api/sales (of a category)": "3.5 RU 2 trips",
      "GET /api/sales/export": "5 RU 5 WU 4 trips",
      "GET /api/sales/{id}": "3 RU 2 trips",
      "GET /api/settings": "2 RU 1 trip",
      "GET /api/settings/failed-jobs": "3 RU 2 trips",
      "GET /api/settings/health": "6 RU 2 trips 1 S3 5 SQS",
      "GET /api/settings/spending": "3 RU 2 trips",
      "GET /api/share (a view of a sealed one)": "2 RU 3 WU 5 trips 1 SQS",
      "GET /api/share (a view of one with files)": "2 RU 1 WU 3 trips 1 SQS",
      "GET /api/share (a view with a link)": "3 RU 1 WU 4 trips 1 SQS",
      "GET /api/share (a view)": "2 RU 1 WU 3 trips 1 SQS",
      "GET /api/share (another view)": "2 RU 1 WU 2 trips 1 SQS",
      "GET /api/share (own ones by status)": "26 RU 3 trips",
      "GET /api/share (own ones)": "24 RU 2 trips",
      "GET /api/share (the owner's look)": "3 RU 2 trips",
      "GET /api/share/received": "29 RU 2 trips",
      "GET /api/share/requests": "14 RU 2 trips",
      "GET /api/share/requests/{id}": "5 RU 3 trips",
      "GET /api/share/summary": "15 RU 2 trips",
      "GET /api/share/{id}/files": "3 RU 2 trips",
      "GET /api/share/{id}/links": "4 RU 3 trips",
      "GET /api/share/{id}/receipts": "5 RU 3 trips",
      "GET /api/share/{id}/revisions": "4 RU 3 trips",
      "GET /api/share/{id}/revisions/{version}": "5 RU 3 trips",
      "GET /api/share/{id}/revisions/{version}/diff": "5 RU 1 WU 4 trips",
      "GET /api/shares": "33 RU 2 trips",
      "GET /api/shares/export": "240 RU 5 WU 5 trips",
      "GET /api/shares/export (own ones)": "25 RU 5 WU 5 trips",
      "GET /api/shares/requests": "6 RU 3 trips",
      "GET /api/shares/{id}": "7 RU 3 trips",
      "GET /api/users": "29 RU 2 trips",
      "GET /api/users/directory": "4 RU 1 WU 4 trips",
      "GET /api/users/directory (by name)": "20 RU 1 WU 4 trips",
      "GET /api/users/export": "406 RU 5 WU 7 trips",
      "GET /api/users/me": "2 RU 1 trip",
      "GET /api/users/me (by an API token)": "2 RU 1 trip",
      "GET /api/users/me (with a custom role)": "3 RU 1 trip",
      "GET /api/users/me/belongings": "10 RU 2 trips",
      "GET /api/users/me/exports": "3 RU 2 trips",
      "GET /api/users/{id}": "3 RU 2 trips",
      "GET /api/users/{id}/belongings": "11 RU 3 trips",
      "GET /api/users/{id}/factors": "4 RU 2 trips",
      "GET /api/users/{id}/sessions": "4 RU 2 trips",
      "GET /api/users/{id}/sign-ins": "4 RU 3 trips",
      "GET /api/users/{id}/tokens": "4 RU 2 trips",
      "GET /api/webhooks": "4 RU 2 trips",
      "GET /api/webhooks/events": "2 RU 1 trip",
      "GET /api/webhooks/{id}": "4 RU 2 trips",
      "GET /api/webhooks/{id}/deliveries": "6 RU 2 trips",
      "GET /api/webhooks/{id}/deliveries/{deliveryId}": "5 RU 2 trips",
      "GET /assets/fonts/{file}": "nothing",
      "GET /assets/images/{file}": "nothing",
      "GET /assets/scripts/{file}": "nothing",
      "GET /assets/styles/{file}": "nothing",
      "GET /audit": "5 RU 2 trips",
      "GET /authorize": "2 RU 1 trip",
      "GET /calendar": "5 RU 2 trips",
      "GET /calendar/{token}/events.ics": "8 RU 2 WU 5 trips",
      "GET /dashboard": "5 RU 2 trips",
      "GET /diagram": "nothing",
      "GET /diagram/{file}": "nothing",
      "GET /documents": "5 RU 2 trips",
      "GET /documents/{id}": "5 RU 2 trips",
      "GET /enrol": "2 RU 1 trip",
      "GET /files": "5 RU 2 trips",
      "GET /forgot": "nothing",
      "GET /health": "0.5 RU 1 trip",
      "GET /invite": "1 RU 1 trip",
      "GET /leaving": "2 RU 1 trip",
      "GET /licenses": "nothing",
      "GET /llms.txt": "nothing",
      "GET /login": "nothing",
      "GET /login/email": "nothing",
      "GET /login/{provider}": "1 WU 1 trip",
      "GET /login/{provider}/callback": "3 RU 13 WU 4 trips 1 SQS",
      "GET /login/{provider}/callback (first)": "3 RU 35 WU 5 trips",
      "GET /messages": "5 RU 2 trips",
      "GET /moderation": "5 RU 2 trips",
      "GET /notifications": "5 RU 2 trips",
      "GET /preview": "nothing",
      "GET /r/{id}": "2 RU 2 trips",
      "GET /r/{id}/report": "2 RU 2 trips",
      "GET /register": "nothing",
      "GET /reset": "1 RU 1 trip",
      "GET /s/{id}": "2 RU 2 trips 1 SQS",
      "GET /s/{id} (again)": "2 RU 1 trip 1 SQS",
      "GET /s/{id} (by a link)": "3 RU 3 trips",
      "GET /s/{id} (with a limit)": "2 RU 2 trips",
      "GET /s/{id}/code": "3 RU 2 trips",
      "GET /s/{id}/embed": "2 RU 2 trips 1 SQS",
      "GET /s/{id}/end": "2 RU 2 trips",
      "GET /s/{id}/live": "2 RU 2 trips",
      "GET /s/{id}/raw": "2 RU 2 trips 1 SQS",
      "GET /s/{id}/report": "2 RU 2 trips",
      "GET /s/{id}/revisions": "6 RU 1 WU 4 trips",
      "GET /s/{id}/revisions/{version}/raw": "5 RU 3 trips",
      "GET /sales": "5 RU 2 trips",
      "GET /settings": "5 RU 2 trips",
      "GET /shares": "5 RU 2 trips",
      "GET /skill.md": "nothing",
      "GET /undo-email": "2 RU 1 trip",
      "GET /users": "5 RU 2 trips",
      "GET /verify": "2 RU 1 trip",
      "GET /{id}": "2 RU 2 trips",
      "GET /{id} (again)": "2 RU 1 trip",
      "GET /{id}/{path+}": "3 RU 3 trips 1 S3",
      "GET /{id}/{path+} (again)": "2 RU 1 trip",
      "POST /api/apps/consent": "3 RU 13 WU 4 trips",
      "POST /api/apps/{id}/restore": "4 RU 8 WU 4 trips",
      "POST /api/audit/export": "12.5 RU 11 WU 7 trips",
      "POST /api/auth/forgot-password": "2 WU 2 trips 1 SQS",
      "POST /api/auth/identities/{provider}": "4 RU 2 trips",
      "POST /api/auth/login": "2 RU 11 WU 6 trips 1 SQS",
      "POST /api/auth/login (from a new network)": "2 RU 13 WU 6 trips 1 SQS",
      "POST /api/auth/login (with a second factor)": "2 RU 3 WU 5 trips",
      "POST /api/auth/login/email": "2 WU 2 trips 1 SQS",
      "POST /api/auth/login/email/code": "2 RU 13 WU 6 trips 1 SQS",
      "POST /api/auth/login/email/code (by the link)": "3 RU 11 WU 5 trips 1 SQS",
      "POST /api/auth/login/email/code (of an address that wasn’t proven)": "2 RU 19 WU 7 trips 1 SQS",
      "POST /api/auth/login/passkey": "2 RU 13 WU 3 trips 1 SQS",
      "POST /api/auth/login/passkey/options": "1 WU 1 trip",
      "POST /api/auth/login/passkey/options (as second factor)": "2 RU 1 WU 2 trips",
      "POST /api/auth/logout": "2 RU 6 WU 2 trips",
      "POST /api/auth/mfa": "2 RU 14 WU 5 trips 1 SQS",
      "POST /api/auth/mfa (by a passkey)": "2 RU 12 WU 2 trips 1 SQS",
      "POST /api/auth/mfa (by a recovery code)": "2 RU 16 WU 5 trips 1 SQS",
      "POST /api/auth/passkeys": "4 RU 14 WU 3 trips",
      "POST /api/auth/passkeys/options": "4 RU 2 trips",
      "POST /api/auth/reauthenticate": "4 RU 12 WU 6 trips",
      "POST /api/auth/reauthenticate (by a passkey)": "4 RU 10 WU 3 trips",
      "POST /api/auth/reauthenticate/options": "4 RU 2 trips",
      "POST /api/auth/recovery-codes": "4 RU 10 WU 3 trips",
      "POST /api/auth/refresh": "2 RU 1 WU 2 trips",
      "POST /api/auth/register": "29 WU 2 trips",
      "POST /api/auth/reset-password": "1 RU 8 WU 2 trips",
      "POST /api/auth/send-verification": "2 RU 1 WU 2 trips 1 SQS",
      "POST /api/auth/tokens": "3 RU 10 WU 3 trips",
      "POST /api/auth/totp": "2 RU 1 WU 2 trips",
      "POST /api/auth/totp/confirm": "4 RU 16 WU 6 trips",
      "POST /api/auth/verify-email": "3 RU 6 WU 3 trips",
      "POST /api/calendar/events": "4 RU 17 WU 5 trips",
      "POST /api/calendar/feed": "2 RU 6 WU 2 trips",
      "POST /api/checkin": "3 RU 1 WU 3 trips",
      "POST /api/documents": "2 RU 24 WU 2 trips",
      "POST /api/documents/{id}/restore": "3 RU 26 WU 3 trips",
      "POST /api/documents/{id}/revisions/{version}/restore": "7 RU 12 WU 5 trips",
      "POST /api/documents/{id}/share": "4 RU 14 WU 4 trips",
      "POST /api/documents/{id}/unshare": "3 RU 12 WU 3 trips",
      "POST /api/files/folders": "3 RU 28 WU 3 trips",
      "POST /api/files/presign": "5 RU 14 WU 3 trips",
      "POST /api/files/upload": "4 RU 31 WU 4 trips 1 S3",
      "POST /api/files/{id}/complete": "4 RU 34 WU 4 trips 4 S3",
      "POST /api/files/{id}/restore": "4 RU 30 WU 3 trips",
      "POST /api/files/{id}/share": "5 RU 14 WU 4 trips",
      "POST /api/files/{id}/unshare": "4 RU 12 WU 3 trips",
      "POST /api/markdown": "1 WU 1 trip",
      "POST /api/messages": "4 RU 30 WU 5 trips",
      "POST /api/messages (a reply)": "11 RU 38 WU 8 trips",
      "POST /api/messages (as many words as are indexed)": "4 RU 40 WU 5 trips",
      "POST /api/messages (to 50)": "52 RU 173 WU 5 trips 1 SQS",
      "POST /api/messages (to ten)": "22 RU 129 WU 5 trips",
      "POST /api/roles": "3 RU 8 WU 3 trips",
      "POST /api/sales": "2 RU 18 WU 2 trips",
      "POST /api/sales/export": "5 RU 11 WU 6 trips",
      "POST /api/sales/{id}/refund": "3 RU 14 WU 3 trips",
      "POST /api/settings/failed-jobs/{id}/retry": "3 RU 8 WU 3 trips",
      "POST /api/settings/spending/lift": "3 RU 6 WU 3 trips",
      "POST /api/settings/test-mail": "2 RU 1 WU 2 trips",
      "POST /api/share": "2 RU 15 WU 3 trips",
      "POST /api/share (a form of 2 files)": "2 RU 20 WU 4 trips 1 S3",
      "POST /api/share (a form of 20 files)": "2 RU 24 WU 4 trips 19 S3",
      "POST /api/share (a stored file)": "3 RU 20 WU 5 trips 2 S3",
      "POST /api/share (an upload of 200 files)": "4 RU 49 WU 4 trips 201 S3",
      "POST /api/share (an upload of 3 files)": "3 RU 19 WU 4 trips 4 S3",
      "POST /api/share (sealed)": "2 RU 19 WU 3 trips",
      "POST /api/share/requests": "2 RU 9 WU 3 trips",
      "POST /api/share/uploads": "3 RU 13 WU 4 trips",
      "POST /api/share/{id}/end": "4 RU 8 WU 4 trips",
      "POST /api/share/{id}/links": "3 RU 8 WU 3 trips",
      "POST /api/share/{id}/links/{linkId}/send": "4 RU 9 WU 4 trips",
      "POST /api/share/{id}/reopen": "3 RU 8 WU 3 trips",
      "POST /api/share/{id}/report": "2 RU 11 WU 4 trips",
      "POST /api/share/{id}/revisions/{version}/restore": "6 RU 13 WU 6 trips",
      "POST /api/share/{id}/revisions/{version}/restore (with files)": "7 RU 15 WU 7 trips 2 S3",
      "POST /api/shares/export": "9 RU 11 WU 7 trips",
      "POST /api/users": "2 RU 26 WU 2 trips",
      "POST /api/users/export": "6 RU 11 WU 7 trips",
      "POST /api/users/import": "3 RU 29 WU 4 trips",
      "POST /api/users/import (a dry run of 100)": "102 RU 1 WU 3 trips",
      "POST /api/users/me/export": "4 RU 10 WU 4 trips",
      "POST /api/users/me/exports/{id}/download": "3 RU 4 WU 3 trips",
      "POST /api/users/me/restore": "5 RU 20 WU 7 trips",
      "POST /api/users/{id}/invitation": "3 RU 8 WU 3 trips",
      "POST /api/webhooks": "4 RU 11 WU 4 trips",
      "POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver": "8 RU 9 WU 5 trips 1 SQS",
      "POST /api/webhooks/{id}/redeliver": "4 RU 7 WU 4 trips",
      "POST /api/webhooks/{id}/secret": "4 RU 9 WU 5 trips",
      "POST /api/webhooks/{id}/test": "4 RU 9 WU 4 trips 1 SQS",
      "POST /invite": "2 RU 14 WU 4 trips 1 SQS",
      "POST /mcp": "2 RU 1 WU 2 trips",
      "POST /oauth/register": "1 WU 1 trip",
      "POST /oauth/revoke": "1 RU 7 WU 3 trips",
      "POST /oauth/token": "3 RU 6 WU 4 trips",
      "POST /oauth/token (refresh)": "2 RU 3 WU 4 trips",
      "POST /r/{id}": "2 RU 21 WU 4 trips",
      "POST /r/{id}/report": "2 RU 11 WU 4 trips",
      "POST /reset": "2 RU 16 WU 4 trips 1 SQS",
      "POST /s/{id}/code": "3 RU 2 WU 5 trips 1 SQS",
      "POST /s/{id}/end": "5 RU 13 WU 6 trips",
      "POST /s/{id}/open": "2 RU 1 WU 3 trips 1 SQS",
      "POST /s/{id}/open (by a link)": "3 RU 1 WU 4 trips 1 SQS",
      "POST /s/{id}/proof": "2 RU 4 WU 5 trips",
      "POST /s/{id}/report": "2 RU 11 WU 4 trips",
      "POST /s/{id}/view": "2 RU 2 trips 1 SQS",
      "POST /second-factor": "2 RU 14 WU 5 trips 1 SQS",
      "POST /undo-email": "4 RU 22 WU 3 trips",
      "PUT /api/auth/passkeys/{id}": "4 RU 6 WU 3 trips",
      "PUT /api/auth/password": "2 RU 12 WU 4 trips",
      "PUT /api/calendar/events/{id}": "5 RU 20 WU 5 trips",
      "PUT /api/calendar/events/{id}/attendance": "7 RU 12 WU 6 trips",
      "PUT /api/calendar/events/{id}/attendance (one occurrence)": "7 RU 12 WU 6 trips",
      "PUT /api/calendar/events/{id}/occurrences/{start}": "5 RU 14 WU 5 trips",
      "PUT /api/documents/{id}": "4 RU 18 WU 3 trips",
      "PUT /api/documents/{id} (goes on)": "4 RU 10 WU 3 trips",
      "PUT /api/documents/{id} (leaves a revision)": "4 RU 12 WU 3 trips",
      "PUT /api/files/{id}": "4 RU 22 WU 3 trips",
      "PUT /api/files/{id}/thumbnail": "4 RU 6 WU 3 trips",
      "PUT /api/messages/{id}/read": "11 RU 8 WU 5 trips",
      "PUT /api/notifications/read-all": "3 RU 1 WU 3 trips",
      "PUT /api/notifications/read-all (of 1 000)": "3 RU 1 WU 3 trips",
      "PUT /api/notifications/read-all (of 10)": "3 RU 1 WU 3 trips",
      "PUT /api/notifications/{id}/read": "5 RU 4 WU 4 trips",
      "PUT /api/roles/{name}": "4 RU 6 WU 3 trips",
      "PUT /api/sales/{id}": "3 RU 20 WU 3 trips",
      "PUT /api/share/received/seen": "2 RU 1 WU 2 trips",
      "PUT /api/share/requests/{id}": "3 RU 7 WU 4 trips",
      "PUT /api/share/{id}": "3 RU 9 WU 4 trips",
      "PUT /api/share/{id} (of its files)": "4 RU 17 WU 5 trips 1 S3",
      "PUT /api/share/{id}/files/{path+}": "4 RU 22 WU 5 trips 1 S3",
      "PUT /api/share/{id}/files/{path+} (of a text)": "4 RU 18 WU 5 trips 1 S3",
      "PUT /api/share/{id}/links/{linkId}": "4 RU 8 WU 3 trips",
      "PUT /api/shares/requests/{id}/decision": "7 RU 10 WU 5 trips",
      "PUT /api/shares/{id}/decision": "7 RU 12 WU 6 trips",
      "PUT /api/users/me": "3 RU 20 WU 3 trips",
      "PUT /api/users/{id}": "3 RU 20 WU 3 trips",
      "PUT /api/webhooks/{id}": "4 RU 9 WU 5 trips",
    }
  `);
});

/**
 * Three round trips: the calendar in the time zone of the profile and shares by status can't be read ahead; a single event
 * reads its attendees, a single share its owner and reports, receipts their readers, a revision its text. A view is counted by its last trip.
 */
const threeTrips = [
  // The apps, then what each of them published today.
  'GET /api/apps',
  'GET /api/calendar/events (invited)',
  'GET /api/calendar/events/{id}',
  'GET /api/dashboard/calendar',
  'GET /api/documents/{id}/readers',
  'GET /api/documents/{id}/revisions',
  'GET /api/documents/{id}/revisions/{version}',
  'GET /api/documents/{id}/revisions/{version}/diff',
  'GET /api/files/{id}/readers',
  'GET /api/users/directory',
  'GET /api/users/directory (by name)',
  'GET /api/users/{id}/belongings',
  'GET /api/users/{id}/sign-ins',
  // The tries of its key are counted, as those of a password are.
  'GET /api/share (a view of a sealed one)',
  'GET /api/share (a view of one with files)',
  'GET /api/share (a view with a link)',
  'GET /api/share (a view)',
  'GET /api/share (own ones by status)',
  'GET /api/share/requests/{id}',
  'GET /api/shares/requests',
  'GET /api/share/{id}/receipts',
  'GET /api/share/{id}/links',
  'GET /api/share/{id}/revisions',
  'GET /api/share/{id}/revisions/{version}',
  'GET /api/share/{id}/revisions/{version}/diff',
  'GET /s/{id} (by a link)',
  'GET /s/{id}/revisions',
  'GET /s/{id}/revisions/{version}/raw',
  'GET /api/shares/{id}',
];

/** These reads first deliver the user's pending items. */
const isReceiving = (name: string) => /^GET \/api\/(messages|notifications)/.test(name);

it('allows signed-in reads two round trips, and few of them three', () => {
  const reads = [...used].filter(([name]) => {
    const route = routeOf(name);
    // An export goes through its list, and is counted and audited.
    return route?.method === 'GET' && route.access !== 'public' && route.auditAction === undefined;
  });
  expect(reads.length).toBeGreaterThan(10);
  const over = (trips: number) =>
    reads.filter(([, { tableTrips }]) => tableTrips > trips).map(([name]) => name);
  expect(
    over(2)
      .filter((name) => !isReceiving(name))
      .toSorted(),
  ).toEqual(threeTrips.toSorted());
  // A comparison, a search for people and a proof count for their limits, too; a link leads to its share first.
  expect(
    over(3)
      .filter((name) => !isReceiving(name))
      .toSorted(),
  ).toEqual([
    'GET /api/documents/{id}/revisions/{version}/diff',
    'GET /api/share (a view of a sealed one)',
    'GET /api/share (a view with a link)',
    'GET /api/share/{id}/revisions/{version}/diff',
    'GET /api/users/directory',
    'GET /api/users/directory (by name)',
    'GET /s/{id}/revisions',
  ]);
  // A search reads the messages of those it examines, then the page.
  expect(over(5)).toEqual([
    'GET /api/messages (searched)',
    'GET /api/messages/conversations (searched)',
  ]);
});

it('is equal for marking 10 and 1,000 notifications as read', () => {
  const few = used.get('PUT /api/notifications/read-all (of 10)');
  expect(few).toBeDefined();
  expect(used.get('PUT /api/notifications/read-all (of 1 000)')).toEqual(few);
});
