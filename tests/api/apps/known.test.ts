import { describe, expect, it } from 'vitest';
import {
  allow,
  answerOf,
  appsOf,
  askFor,
  bodyOf,
  connect,
  decide,
  exchange,
  newClient,
  newProof,
  queryOf,
  revokeApp,
  type TestClient,
} from '../../support/apps/apps.ts';
import { newDescribedClient } from '../../support/apps/described-client.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
const { ann, bob } = useNewPeople({ ann: 'user', bob: 'user' });

const claudeId = 'https://claude.example.com/client.json';
const claude = () =>
  newDescribedClient(claudeId, ['https://claude.example.com/cb', 'https://other.example.com/cb']);

const isKnown = async (person: Person, client: TestClient, fields = {}): Promise<boolean> =>
  (await askFor(person, { ...queryOf(client), ...fields })).body.data.isKnown;

/** Allows without a new decision, as the page does for a known app. */
const goOn = (person: Person, client: TestClient, challenge = newProof().challenge) =>
  decide(person, { ...bodyOf(client, challenge), permissions: undefined });

describe('an app with a document at an https address', () => {
  it('is asked about once, whatever of it was allowed', async () => {
    const client = await claude();
    expect((await askFor(ann, queryOf(client))).body.data).toMatchObject({
      client: { name: 'Claude', host: 'claude.example.com' },
      redirectHost: 'claude.example.com',
      isLoopback: false,
      isKnown: false,
    });
    const ceiling = { maxAudience: 'members', maxAge: 60, sharesPerDay: 1 };
    await connect(ann, client, { permissions: ['shares:create'], ceiling });
    expect([await isKnown(ann, client), await isKnown(bob, client)]).toEqual([true, false]);
    const before = await appsOf(ann);
    const { verifier, challenge } = newProof();
    const { code = '' } = answerOf(await goOn(ann, client, challenge));
    expect((await exchange({ client, code, verifier })).body.scope).toBe('shares:create');
    expect(await appsOf(ann)).toEqual(before);
  });

  it('is asked about when it asks for more, and once it was revoked', async () => {
    const client = await claude();
    await allow(ann, client);
    expect(await isKnown(ann, client, { scope: 'shares:view' })).toBe(true);
    expect(await isKnown(ann, client, { scope: 'shares:view documents:view' })).toBe(false);
    await revokeApp(ann, (await appsOf(ann))[0].id);
    expect(await isKnown(ann, client)).toBe(false);
    expect(await goOn(ann, client)).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'permissions', message: 'is required' }] } },
    });
  });

  it('stays allowed for all that was asked, whatever an address asks less for', async () => {
    const client = await claude();
    await connect(ann, client, { permissions: ['shares:create'] });
    const { challenge } = newProof();
    const body = { ...bodyOf(client, challenge), scope: 'shares:view', permissions: undefined };
    expect((await decide(ann, body)).status).toBe(200);
    expect(await isKnown(ann, client)).toBe(true);
  });

  it('is asked about at another host of its own, and on the own device', async () => {
    await allow(ann, await claude());
    const elsewhere = { id: claudeId, redirectUri: 'https://other.example.com/cb' };
    expect(await isKnown(ann, elsewhere)).toBe(false);
    const uri = 'http://localhost/cb';
    const local = await newDescribedClient('https://code.example.com/client.json', [uri]);
    await allow(ann, local);
    expect(await isKnown(ann, local)).toBe(false);
    expect((await goOn(ann, local)).status).toBe(400);
  });

  it('is asked about for what takes the password', async () => {
    const admin = await newUserOf('super_admin');
    const client = await claude();
    const scope = 'documents:manage';
    await allow(admin, client, { scope, permissions: [scope] });
    expect(await isKnown(admin, client, { scope })).toBe(false);
  });
});

it('asks about a client that has registered itself each time', async () => {
  const client = await newClient('https://claude.example.com/cb');
  await allow(ann, client);
  expect(await isKnown(ann, client)).toBe(false);
  expect((await goOn(ann, client)).status).toBe(400);
});
