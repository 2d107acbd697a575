import { describe, expect, it, vi } from 'vitest';
import {
  allow,
  appsOf,
  bodyOf,
  connect,
  decide,
  exchange,
  newClient,
  refreshApp,
  restoreApp,
  revokeApp,
} from '../../support/apps/apps.ts';
import { conditionFailed } from '../../support/aws/errors.ts';
import { failConditions, useMockedService } from '../../support/aws/mocked-service.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { newPerson } from '../../support/users/test-users.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');
const service = useMockedService();
const { watch } = service;

const oftenChanged = { status: 409, body: { error: { code: 'CONFLICT' } } };

describe('POST /api/apps/consent', () => {
  it('tries again with the app as it is then', async () => {
    const ann = await newPerson();
    const client = await newClient();
    const { result } = await watch(
      () => decide(ann, bodyOf(client)),
      failConditions(/^Put USER#\d+ APP#/, { times: 1 }),
    );
    expect(result.status).toBe(200);
    expect(await appsOf(ann)).toHaveLength(1);
  });

  it('returns 409 if the app keeps changing, and 200 once it rests', async () => {
    const ann = await newPerson();
    const client = await newClient();
    await allow(ann, client);
    const again = () => decide(ann, bodyOf(client));
    const { result } = await watch(again, failConditions(/^Update USER#\d+ APP#/));
    expect(result).toMatchObject(oftenChanged);
    expect((await again()).status).toBe(200);
  });

  it('returns 409 if others keep using up the room', async () => {
    const ann = await newPerson();
    const client = await newClient();
    const { result } = await watch(
      () => decide(ann, bodyOf(client)),
      failConditions(/^Update USER#\d+ USER$/),
    );
    expect(result).toMatchObject(oftenChanged);
  });
});

describe('POST /oauth/token', () => {
  it('tries again if the app changed since it was read', async () => {
    const allowed = await allow(await newPerson(), await newClient());
    const { result } = await watch(
      () => exchange(allowed),
      failConditions(/^Update USER#\d+ APP#/, { times: 1 }),
    );
    expect(result.status).toBe(200);
  });

  it('is temporarily unavailable if the app keeps changing', async () => {
    const allowed = await allow(await newPerson(), await newClient());
    const { result } = await watch(
      () => exchange(allowed),
      failConditions(/^Update USER#\d+ APP#/),
    );
    expect(result).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { error: 'temporarily_unavailable' },
    });
  });

  it('refuses to refresh a login that ended after it was read', async () => {
    const { client, refresh } = await connect(await newPerson());
    const { result } = await watch(
      () => refreshApp(client, refresh),
      ({ name }) => (name === 'Update' ? conditionFailed() : undefined),
    );
    expect(result).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

describe('DELETE /api/apps/{id}', () => {
  it('returns 409 if the app keeps changing', async () => {
    const ann = await newPerson();
    await connect(ann);
    const [{ id }] = await appsOf(ann);
    const { result } = await watch(
      () => revokeApp(ann, id),
      failConditions(/^Update USER#\d+ APP#/),
    );
    expect(result).toMatchObject(oftenChanged);
  });
});

describe('POST /api/apps/{id}/restore', () => {
  it('returns 409 if the app keeps changing', async () => {
    const ann = await newPerson();
    await connect(ann);
    const [{ id }] = await appsOf(ann);
    await revokeApp(ann, id);
    pass(1_000);
    const { result } = await watch(
      () => restoreApp(ann, id),
      failConditions(/^Update USER#\d+ APP#/),
    );
    expect(result).toMatchObject(oftenChanged);
  });
});
