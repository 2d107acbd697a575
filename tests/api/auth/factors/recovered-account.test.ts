import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { form } from '../../../support/service/form.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../../support/service/mail.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { freshPassword, moveEmail, resetPassword } from '../../../support/users/account.ts';
import { codeOf } from '../../../support/users/authenticator.ts';
import {
  enrolTotp,
  newTotpUser,
  nextCode,
  readFactors,
  removeTotp,
  renewCodes,
  secondStep,
  type WithTotp,
} from '../../../support/users/factors.ts';
import { newResetToken, tokenOfLink } from '../../../support/users/links.ts';
import { login, newUserOf } from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useMail();

const minuteMs = 60_000;
const proven = () => ({ emailVerifiedAt: new Date().toISOString() });
const none = { totp: null, passkeys: [], recoveryCodes: null };

const storedFactors = async ({ id }: Pick<WithTotp, 'id'>) =>
  (await itemsOf(`USER#${id}`)).find(({ sk }) => sk === 'FACTORS');

/** Resets the password and signs in with it. */
const recover = async ({ id, email }: Pick<WithTotp, 'id' | 'email'>) => {
  expect((await resetPassword(await newResetToken(id))).status).toBe(200);
  return (await login(email, freshPassword)).body;
};

describe('a password set by a link', () => {
  it('takes the second factor still', async () => {
    const user = await newTotpUser('user', proven());
    const { data } = await recover(user);
    expect(data).toMatchObject({ mfaRequired: true });
    expect((await secondStep(data.mfaToken, nextCode(user.secret))).status).toBe(200);
  });

  it('ends what a stranger set up if it proves the address for the first time', async () => {
    const stranger = await newTotpUser();
    const { data, token } = await recover(stranger);
    expect(data.mfaRequired).toBeUndefined();
    expect((await readFactors(token)).body.data).toEqual(none);
    expect(await storedFactors(stranger)).toBeUndefined();
    const owner = await enrolTotp({ ...stranger, token });
    const again = (await login(owner.email, freshPassword)).body.data;
    const old = await secondStep(again.mfaToken, nextCode(stranger.secret));
    expect(old.status).toBe(400);
    expect((await secondStep(again.mfaToken, codeOf(owner.secret))).status).toBe(200);
  });
});

/** Changes the proven address of a user, does something then, undoes the change, and signs in at the former address. */
const undoAfter = async (
  user: WithTotp | Awaited<ReturnType<typeof newUserOf>>,
  act: () => Promise<unknown>,
) => {
  await moveEmail(user.token);
  pass(minuteMs);
  await act();
  await settleJobs();
  const mail = (await mailsTo(user.email)).find(({ subject }) => /was changed$/.test(subject));
  const token = tokenOfLink(linkOf(mail ?? expect.unreachable()));
  const undone = await call('POST /undo-email', form({ token }));
  expect(undone.status, undone.body).toBe(200);
  return recover(user);
};

describe('a restored email address', () => {
  it('keeps the factors from before the change', async () => {
    const user = await newTotpUser('user', proven());
    const { data } = await undoAfter(user, async () => undefined);
    expect(data.mfaRequired).toBe(true);
    expect((await secondStep(data.mfaToken, user.codes[0])).status).toBe(200);
    expect((await secondStep(data.mfaToken, nextCode(user.secret))).status).toBe(200);
  });

  it('ends the factors that came after it', async () => {
    const user = await newUserOf('user', proven());
    const { data, token } = await undoAfter(user, () => enrolTotp(user));
    expect(data.mfaRequired).toBeUndefined();
    expect((await readFactors(token)).body.data).toEqual(none);
  });

  it.each([
    ['an app replaced the one before', (user: WithTotp) => enrolTotp(user)],
    ['recovery codes replaced those before', ({ token }: WithTotp) => renewCodes(token)],
    ['the app was removed', ({ token }: WithTotp) => removeTotp(token)],
  ])('ends all factors if %s', async (_, act) => {
    const user = await newTotpUser('user', proven());
    const { data, token } = await undoAfter(user, () => act(user));
    expect(data.mfaRequired).toBeUndefined();
    expect((await readFactors(token)).body.data).toEqual(none);
    expect(await storedFactors(user)).toBeUndefined();
  });
});
