import { expect, it } from 'vitest';
import { authenticateApp } from '../../../shared/auth/app.ts';
import {
  allow,
  answerOf,
  appsOf,
  askFor,
  bodyOf,
  connect,
  decide,
  exchange,
  issuer,
  newClient,
  queryOf,
  renewApp,
} from '../../support/apps/apps.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { useTable } from '../../support/table/table.ts';
import { signInAgain, useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
const { ann } = useNewPeople({ ann: 'user' });

it('asks a person, allows, exchanges the code, uses the token and refreshes it', async () => {
  const client = await newClient();
  expect((await askFor(ann, queryOf(client))).body.data).toEqual({
    outcome: 'ask',
    client: { name: 'Notebook', host: null },
    redirectHost: 'localhost',
    isLoopback: true,
    isKnown: false,
    permissions: ['shares:create', 'shares:update', 'shares:view'],
    ceiling: { maxAudience: 'private', maxAge: 604_800, sharesPerDay: 20 },
    limits: { maxAudience: 'link' },
  });
  const allowed = await allow(ann, client);
  const { status, body, headers } = await exchange(allowed);
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(body).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 3_600,
    refresh_token: expect.any(String),
    scope: 'shares:create shares:view',
  });
  const actor = await authenticateApp(body.access_token);
  expect(actor).toMatchObject({ user: { id: ann.id }, isLimited: true, permissions: [] });
  expect(actor.token).toMatchObject({
    name: 'Notebook',
    scopes: new Set(['shares:view', 'shares:create']),
    ceiling: { maxAudience: 'private', maxAge: 604_800, sharesPerDay: 20 },
  });
  const tokens = { client, access: body.access_token, refresh: body.refresh_token };
  pass(3_600_000 + 60_000);
  await expect(authenticateApp(tokens.access)).rejects.toThrow();
  const renewed = await renewApp(tokens);
  expect((await authenticateApp(renewed.access)).user.id).toBe(ann.id);
  const [app] = await appsOf(await signInAgain(ann));
  expect(app).toEqual({
    id: actor.token?.id,
    name: 'Notebook',
    host: 'localhost',
    permissions: ['shares:create', 'shares:view'],
    ceiling: { maxAudience: 'private', maxViews: null, maxAge: 604_800, sharesPerDay: 20 },
    createdAt: '2026-11-21T12:00:00.000Z',
    lastUsedAt: '2026-11-21T13:01:00.000Z',
    sharesToday: 0,
  });
  expect(await entriesAbout(`app:${app.id}`)).toMatchObject([
    {
      action: 'app.allow',
      subjectName: 'Notebook',
      actorId: ann.id,
      after: { userId: ann.id, client: null, host: 'localhost' },
    },
  ]);
});

it('answers with state and issuer, also when denied', async () => {
  const client = await newClient('https://app.example/cb?x=1');
  const denied = await decide(ann, { ...bodyOf(client), decision: 'deny' });
  expect(denied.body.data.location).toMatch(
    /^https:\/\/app\.example\/cb\?x=1&error=access_denied&/,
  );
  expect(answerOf(denied)).toMatchObject({ x: '1', state: 'xyz', iss: issuer });
  const allowed = await decide(ann, bodyOf(client));
  expect(answerOf(allowed)).toEqual({
    x: '1',
    code: expect.stringMatching(/^hbc_/),
    state: 'xyz',
    iss: issuer,
  });
  expect(await appsOf(ann)).toHaveLength(1);
  await connect(ann);
  expect(await appsOf(ann)).toHaveLength(2);
});
