import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { mailsTo, useMail } from '../../../support/service/mail.ts';
import { useTable } from '../../../support/table/table.ts';
import { wrongCode } from '../../../support/users/authenticator.ts';
import {
  enrolTotp,
  firstStep,
  newTotpUser,
  reauthenticate,
  removeTotp,
  renewCodes,
  secondStep,
  signInBoth,
  type WithTotp,
} from '../../../support/users/factors.ts';
import { newUserOf } from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useMail();

const subjectsTo = async ({ email }: { readonly email: string }) =>
  (await mailsTo(email)).map(({ subject }) => subject);

/** Creates a user with an authenticator app, who has been told so. */
const told = async (): Promise<WithTotp> => {
  const user = await newTotpUser();
  await settleJobs();
  expect(await subjectsTo(user)).toEqual(['A second factor was added']);
  return user;
};

describe('the owner of an account is told', () => {
  it.each([
    ['A second factor was added', (user: WithTotp) => enrolTotp(user)],
    ['A second factor was removed', ({ token }: WithTotp) => removeTotp(token)],
    ['New recovery codes were created', ({ token }: WithTotp) => renewCodes(token)],
    [
      'A recovery code was used',
      async ({ email, codes }: WithTotp) => secondStep(await firstStep(email), codes[0]),
    ],
    [
      'A recovery code was used',
      ({ token, codes }: WithTotp) => reauthenticate(token, { code: codes[0] }),
    ],
    [
      'A wrong code was entered for your account',
      async ({ email, secret }: WithTotp) => secondStep(await firstStep(email), wrongCode(secret)),
    ],
    [
      'A wrong code was entered for your account',
      ({ token, secret }: WithTotp) => reauthenticate(token, { code: wrongCode(secret) }),
    ],
  ])('“%s”', async (title, act) => {
    const user = await told();
    await act(user);
    await settleJobs();
    const [, mail, ...others] = await mailsTo(user.email);
    expect([mail?.subject, others]).toEqual([title, []]);
    expect(mail?.text).not.toContain(user.secret);
    for (const code of user.codes) expect(mail?.text).not.toContain(code);
  });

  it('of wrong codes once an hour', async () => {
    const user = await told();
    const enter = async () => {
      const mfaToken = await firstStep(user.email);
      for (let at = 0; at < 3; at++) await secondStep(mfaToken, wrongCode(user.secret));
      await settleJobs();
    };
    await enter();
    pass(30 * 60_000);
    await enter();
    const wrong = 'A wrong code was entered for your account';
    expect((await subjectsTo(user)).slice(1)).toEqual([wrong]);
    pass(60 * 60_000);
    await enter();
    expect((await subjectsTo(user)).slice(1)).toEqual([wrong, wrong]);
  });

  it('of nothing when a code is right', async () => {
    const user = await told();
    expect((await signInBoth(user)).status).toBe(200);
    await settleJobs();
    expect(await subjectsTo(user)).toHaveLength(1);
  });

  it('of nothing when an app is begun', async () => {
    const user = await newUserOf('user');
    await settleJobs();
    expect(await subjectsTo(user)).toEqual([]);
  });
});
