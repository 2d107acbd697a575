// Each way to sign in lets the owner of an account back in that waits to be deleted.
import { describe, expect, it } from 'vitest';
import {
  connectNew,
  signedInAs,
  tokenOf,
  useProviders,
} from '../../../support/identities/identities.ts';
import { addPasskey, signInBy, signInOptions } from '../../../support/passkeys/use-passkeys.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../../support/service/mail.ts';
import { useTable } from '../../../support/table/table.ts';
import {
  forgotPassword,
  freshPassword,
  me,
  moveEmail,
  resetPassword,
} from '../../../support/users/account.ts';
import {
  enterSignInCode,
  newSignInMail,
  whileEmailSignInIsOn,
} from '../../../support/users/email-codes.ts';
import { newTotpUser, signInBoth } from '../../../support/users/factors.ts';
import { keep, leaveNow } from '../../../support/users/leaving.ts';
import { tokenOfLink } from '../../../support/users/links.ts';
import { login, newVerified } from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useMail();
useProviders();

/** Keeps the account of a session, which must wait to be deleted. */
const keepBy = async (token: string): Promise<void> => {
  expect((await me(token)).body.data.deletesAt).toEqual(expect.any(String));
  expect((await call('GET /api/documents', { token })).body.error.code).toBe('DELETION_PENDING');
  expect((await keep(token)).status).toBe(200);
  expect((await call('GET /api/documents', { token })).status).toBe(200);
};

describe('an account that waits to be deleted', () => {
  it('is kept by a password and a second factor', async () => {
    const ann = await newTotpUser();
    await leaveNow(ann.token);
    await keepBy((await signInBoth(ann)).body.accessToken);
  });

  it('is kept by a passkey', async () => {
    const ann = await newVerified();
    const passkey = await addPasskey(ann.token);
    await leaveNow(ann.token);
    await keepBy((await signInBy(passkey, await signInOptions())).body.token);
  });

  it('is kept by an account of a provider', async () => {
    const ann = await newVerified();
    const identity = await connectNew(ann.token, { email: ann.email });
    await leaveNow(ann.token);
    await keepBy(await tokenOf(await signedInAs(identity)));
  });

  it('is kept by a code that is emailed', async () => {
    const ann = await newVerified();
    await leaveNow(ann.token);
    await whileEmailSignInIsOn(async () => {
      const { code } = await newSignInMail(ann.email);
      const { body } = await enterSignInCode({ email: ann.email, code });
      await keepBy(body.accessToken);
    });
  });

  it('is kept by a link for a new password', async () => {
    const ann = await newVerified();
    await leaveNow(ann.token);
    await settleJobs();
    await forgotPassword(ann.email);
    await settleJobs();
    const mail = (await mailsTo(ann.email)).at(-1);
    expect(mail?.subject).toBe('Reset your Handbill password');
    await resetPassword(tokenOfLink(linkOf(mail ?? expect.unreachable())));
    await keepBy((await login(ann.email, freshPassword)).body.accessToken);
  });

  it('is kept by its owner, whose address a thief had changed', async () => {
    const ann = await newVerified();
    await moveEmail(ann.token);
    await settleJobs();
    const undo = (await mailsTo(ann.email)).find(({ subject }) => subject.endsWith('changed'));
    await leaveNow(ann.token);
    const token = tokenOfLink(linkOf(undo ?? expect.unreachable()));
    const { status } = await call('POST /undo-email', {
      body: new URLSearchParams({ token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(status).toBe(200);
    await settleJobs();
    const reset = (await mailsTo(ann.email)).findLast(({ subject }) => subject.startsWith('Reset'));
    await resetPassword(tokenOfLink(linkOf(reset ?? expect.unreachable())));
    await keepBy((await login(ann.email, freshPassword)).body.accessToken);
  });
});
