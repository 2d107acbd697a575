// What ends connected accounts: the first proof of the address, and the deletion of the user.
import { describe, expect, it, vi } from 'vitest';
import type { Identity } from '../../../../functions/api/auth/identities/identity.ts';
import { toIdentityHash } from '../../../../functions/api/auth/identities/store.ts';
import {
  createUndoLink,
  undoEmailChange,
} from '../../../../functions/api/users/account/email-undo.ts';
import * as users from '../../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../../shared/audit/audit-log.ts';
import {
  connectAs,
  connecting,
  connectNew,
  globex,
  newIdentity,
  signedInAs,
  signInAs,
  useProviders,
} from '../../../support/identities/identities.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { useMail } from '../../../support/service/mail.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { createApiToken, me, moveEmail, resetPassword } from '../../../support/users/account.ts';
import { inviteUser } from '../../../support/users/administration.ts';
import { newInvitationToken, newResetToken } from '../../../support/users/links.ts';
import {
  login,
  newInvited,
  newPerson,
  newUserOf,
  newVerified,
  password,
} from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useMail();
useProviders();

const isKnown = async (identity: Identity): Promise<boolean> =>
  (await itemsOf(`IDENTITY#${toIdentityHash(identity)}`)).length > 0;
const refused = (reason: string) => ({ kind: 'refused', reason });

describe('an address that connecting proves for the first time', () => {
  it('ends all that was there before, but this session and the password', async () => {
    const { id, email, token } = await newPerson();
    const other = (await login(email)).body.accessToken;
    const apiToken = (await createApiToken(token, { name: 'x' })).body.data.token;
    const stranger = await connectNew(token, { provider: globex });
    const identity = newIdentity({ email });
    expect(await connectAs(identity, await connecting(token, { fe: 1 }))).toEqual({
      kind: 'connected',
    });
    expect(await users.get(id)).toMatchObject({ emailVerifiedAt: '2026-11-21T12:00:00.000Z' });
    const seen = [token, other, apiToken].map(async (one) => (await me(one)).status);
    expect(await Promise.all(seen)).toEqual([200, 401, 401]);
    expect((await login(email, password)).status).toBe(200);
    vi.stubEnv('REGISTRATION', 'closed');
    expect(await signInAs(stranger)).toEqual(refused('no-account'));
    expect((await signedInAs(identity)).user.id).toBe(id);
    expect([await isKnown(stranger), await isKnown(identity)]).toEqual([false, true]);
  });

  it('stays unproven by another address, and by one that the provider hasn’t proven', async () => {
    const { id, email, token } = await newPerson();
    await connectNew(token);
    await connectAs(
      newIdentity({ provider: globex, email, isEmailProven: false }),
      await connecting(token, { fe: 1 }),
    );
    expect(await users.get(id)).not.toHaveProperty('emailVerifiedAt');
    expect((await me(token)).status).toBe(200);
  });
});

describe('connected accounts', () => {
  it('end with a recovery that proves the address for the first time, and stay with a later one', async () => {
    const { id, token } = await newPerson();
    const stranger = await connectNew(token);
    expect((await resetPassword(await newResetToken(id))).status).toBe(200);
    expect(await users.get(id)).not.toHaveProperty('hasIdentity');
    expect(await isKnown(stranger)).toBe(false);
    const owner = await newVerified();
    vi.stubEnv('REGISTRATION', 'closed');
    expect(await signInAs(stranger)).toEqual(refused('no-account'));
    const own = await connectNew(owner.token);
    await resetPassword(await newResetToken(owner.id));
    expect((await signedInAs(own)).user.id).toBe(owner.id);
  });

  it('end with their user, and make an account of their own again', async () => {
    const identity = newIdentity();
    const { user } = await signedInAs(identity);
    await users.removeUser(user.id, () => undefined, undefined, systemRecorder('user.delete'));
    expect(await isKnown(identity)).toBe(false);
    expect((await signedInAs(identity)).user.id).not.toBe(user.id);
  });
});

describe('an invited account that was taken by a provider', () => {
  it('is invited no more', async () => {
    const root = await newUserOf('super_admin');
    const { id, email } = await newInvited();
    const link = await newInvitationToken(id);
    await signedInAs(newIdentity({ email }));
    expect((await resetPassword(link)).status).toBe(400);
    const { status, body } = await inviteUser(root, id);
    expect([status, body.error.message]).toEqual([409, 'This user has already signed in.']);
  });
});

describe('an undone change of the address', () => {
  it('ends the accounts that were connected before it, and no second factor', async () => {
    const { id, email, token } = await newVerified();
    const stranger = await connectNew(token);
    await moveEmail(token);
    const [former] = (await users.get(id)).formerEmails ?? [];
    const link = await createUndoLink(await users.get(id), former?.id ?? '');
    const undo = new URL(link?.url ?? '').searchParams.get('token') ?? '';
    expect((await undoEmailChange(undo, systemRecorder('email.restore'))).email).toBe(email);
    vi.stubEnv('REGISTRATION', 'closed');
    expect(await signInAs(stranger)).toEqual(refused('no-account'));
    expect([await isKnown(stranger), (await users.get(id)).hasIdentity]).toEqual([
      false,
      undefined,
    ]);
    expect((await signedInAs(newIdentity({ email }))).user.id).toBe(id);
  });
});
