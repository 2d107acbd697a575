import { describe, expect, it, vi } from 'vitest';
import { failConditions, useMockedService } from '../../../support/aws/mocked-service.ts';
import {
  connectAs,
  connecting,
  connectNew,
  disconnect,
  newIdentity,
  signedInAs,
  signInAs,
  useProviders,
} from '../../../support/identities/identities.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { newAccount, newPerson } from '../../../support/users/test-users.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');
const { items, watch } = useMockedService();
useProviders();

const userWrite = /^(Update|Put) USER#\d+ USER$/;
const lookupWrite = /^Put IDENTITY#/;

const busy = { code: 'SERVICE_UNAVAILABLE' };

/** Creates an account whose address is proven. */
const newOwner = () => newAccount({ emailVerifiedAt: '2026-11-21T11:00:00.000Z' });

describe('signing in by an identity', () => {
  it('signs in after a concurrent change, and fails if the account keeps changing', async () => {
    const { email } = await newOwner();
    const identity = newIdentity({ email });
    const once = failConditions(userWrite, { times: 1 });
    expect((await watch(() => signInAs(identity), once)).result.kind).toBe('signed-in');
    await expect(watch(() => signInAs(identity), failConditions(userWrite))).rejects.toMatchObject(
      busy,
    );
  });

  it('refuses an account that was suspended since it was read', async () => {
    const identity = newIdentity();
    const { user } = await signedInAs(identity);
    const first = () => items.change(`USER#${user.id}`, 'USER', { status: 'suspended' });
    const fail = failConditions(userWrite, { times: 1, first });
    expect((await watch(() => signInAs(identity), fail)).result).toEqual({
      kind: 'refused',
      reason: 'inactive',
    });
  });

  it('signs in to the account that someone else has made of the identity meanwhile', async () => {
    const identity = newIdentity();
    const fail = failConditions(lookupWrite, { times: 1 });
    expect((await watch(() => signInAs(identity), fail)).result.kind).toBe('signed-in');
  });
});

describe('connecting and disconnecting an account', () => {
  it('refuses a session that was ended since it was read', async () => {
    const { id, token } = await newPerson();
    const by = await connecting(token);
    const first = () => items.change(`USER#${id}`, 'USER', { sessionEpoch: 7 });
    const fail = failConditions(userWrite, { times: 1, first });
    expect((await watch(() => connectAs(newIdentity(), by), fail)).result).toEqual({
      kind: 'refused',
      reason: 'ended',
    });
  });

  it('repeats a change that met another, and fails after many', async () => {
    const { token } = await newPerson();
    await connectNew(token);
    expect((await watch(() => disconnect(token), failConditions(userWrite))).result.status).toBe(
      503,
    );
    const once = failConditions(userWrite, { times: 1 });
    expect((await watch(() => disconnect(token), once)).result.status).toBe(200);
  });
});
