import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createResetLink } from '../../../functions/api/users/account/password-link.ts';
import { unsentJobs } from '../../../shared/jobs/unsent.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { queuedJobs, runJobs, useJobs } from '../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail, whileMailIsDown } from '../../support/service/mail.ts';
import { sweep } from '../../support/service/sweeps.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import {
  createApiToken,
  forgotPassword,
  freshPassword,
  me,
  moveEmail,
  refresh,
  resetPassword,
  updateProfile,
} from '../../support/users/account.ts';
import { changeUser } from '../../support/users/administration.ts';
import { newResetToken } from '../../support/users/links.ts';
import {
  login,
  newEmail,
  newPerson,
  newUserOf,
  password,
  setUser,
} from '../../support/users/test-users.ts';

useTable();
useJobs();
useMail();
beforeEach(() => {
  process.env['MAIL_FROM'] = 'handbill@example.com';
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const statusOfLogin = async (email: string, given: string) => (await login(email, given)).status;
const aboutToken = [{ field: 'token', message: 'is invalid or expired; request a new link' }];
const onItsWay = {
  success: true,
  data: {},
  message: 'If the account exists, a link has been sent.',
};

describe('POST /api/auth/forgot-password', () => {
  it('sends a link to the account of the address, ignoring case', async () => {
    const { email } = await newPerson();
    const { status, body } = await forgotPassword(email.toUpperCase());
    expect([status, body]).toEqual([200, onItsWay]);
    expect(await mailsTo(email)).toEqual([]);
    await runJobs();
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    const link = new URL(mail ? linkOf(mail) : '');
    expect(link.origin + link.pathname).toBe('https://handbill.test/reset');
    expect((await resetPassword(link.searchParams.get('token'))).status).toBe(200);
    expect([
      await statusOfLogin(email, password),
      await statusOfLogin(email, freshPassword),
    ]).toEqual([401, 200]);
  });

  it('returns the same for an unknown or inactive address and sends nothing', async () => {
    const shutOut = await newPerson();
    await setUser(shutOut.id, { status: 'suspended' });
    for (const email of [newEmail(), shutOut.email]) {
      const { status, body } = await forgotPassword(email);
      expect([status, body]).toEqual([200, onItsWay]);
      await runJobs();
      expect(await mailsTo(email)).toEqual([]);
    }
  });

  it('refers to an administrator while email is disabled', async () => {
    const { email } = await newPerson();
    delete process.env['MAIL_FROM'];
    const { status, body } = await forgotPassword(email);
    expect([status, body.data, body.message]).toEqual([
      200,
      {},
      'Email is disabled. Ask an administrator for a link.',
    ]);
    expect(await runJobs()).toBe(0);
  });

  it.each([[undefined], [null], [''], ['ann'], [{}], [['ann@example.com']], [7]])(
    'rejects the malformed address %j',
    async (email) => {
      const { status, body } = await forgotPassword(email);
      expect([status, body.error.details[0].field]).toEqual([400, 'email']);
      expect(await runJobs()).toBe(0);
    },
  );

  it('links to the configured address of the service, whatever the request headers', async () => {
    const { email } = await newPerson();
    const evil = 'evil.test';
    await forgotPassword(email, {
      host: evil,
      origin: `https://${evil}`,
      referer: `https://${evil}/`,
      forwarded: `host=${evil}`,
      'x-forwarded-host': evil,
      'x-forwarded-proto': 'http',
    });
    await runJobs();
    const [mail] = await mailsTo(email);
    expect(JSON.stringify(mail)).not.toContain(evil);
    expect(mail && linkOf(mail)).toMatch(/^https:\/\/handbill\.test\/reset\?token=/);
  });

  it('sends up to 5 emails an hour to an address, and answers the same beyond', async () => {
    vi.stubEnv('RATE_LIMIT_FACTOR', '1');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { email } = await newUserOf('user');
    const [answers, before] = [[] as object[], (await queuedJobs()).length];
    for (let n = 0; n < 8; n++) {
      const { status, body, headers } = await forgotPassword(n % 2 ? email : email.toUpperCase());
      const { 'x-request-id': _, ...shown } = headers;
      answers.push({ status, body, shown });
      expect(await queuedJobs()).toHaveLength(before + n + 1);
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 200, body: onItsWay });
    expect(answers[0]).not.toHaveProperty('shown.ratelimit');
    vi.unstubAllEnvs();
    await runJobs();
    expect(await mailsTo(email)).toHaveLength(5);
  });

  it('returns 200 while the queue is down, and sends the email once afterwards', async () => {
    const { email } = await newPerson();
    const queue = process.env['MAIL_QUEUE_URL'] ?? '';
    process.env['MAIL_QUEUE_URL'] = `${queue}-is-gone`;
    const { status, body } = await forgotPassword(email);
    process.env['MAIL_QUEUE_URL'] = queue;
    expect([status, body]).toEqual([200, onItsWay]);
    expect([await runJobs(), await mailsTo(email)]).toEqual([0, []]);
    await sweep(unsentJobs);
    await sweep(unsentJobs);
    await runJobs();
    expect(await mailsTo(email)).toHaveLength(1);
    const left = (await itemsOf('OUTBOX')).map(({ message }) => String(message));
    expect(left.filter((message) => message.includes(email))).toEqual([]);
  });

  it('returns 200 while email is down, and sends the email once afterwards', async () => {
    const { email } = await newPerson();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    await whileMailIsDown(async () => {
      expect((await forgotPassword(email)).status).toBe(200);
      expect(await runJobs()).toBeGreaterThan(0);
    });
    vi.setSystemTime(Date.now() + 10 * 60_000);
    await runJobs();
    await runJobs();
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it('logs neither the address nor the link', async () => {
    const { email } = await newPerson();
    const lines: unknown[] = [];
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      vi.spyOn(getLogger(), level).mockImplementation((...line) => void lines.push(line));
    }
    await forgotPassword(email);
    await runJobs();
    const [mail] = await mailsTo(email);
    const secret = (mail ? linkOf(mail) : '').split('.').at(-1) ?? 'none';
    for (const word of [email, secret]) expect(JSON.stringify(lines)).not.toContain(word);
  });
});

describe('POST /api/auth/reset-password', () => {
  it('changes the password, ends every session and API token, and signs no one in', async () => {
    const { id, email, token, refreshToken } = await newPerson();
    const created = await createApiToken(token);
    const response = await resetPassword(await newResetToken(id), {
      confirmPassword: freshPassword,
    });
    expect([response.status, response.body, response.cookies]).toEqual([
      200,
      { success: true, data: {}, message: 'Password changed. Sign in.' },
      [],
    ]);
    for (const held of [token, created.body.data.token]) {
      expect((await me(held)).status).toBe(401);
    }
    expect((await refresh(refreshToken)).status).toBe(401);
    expect([
      await statusOfLogin(email, password),
      await statusOfLogin(email, freshPassword),
    ]).toEqual([401, 200]);
  });

  it('accepts a token once, also of 10 concurrent requests', async () => {
    const { id, email } = await newPerson();
    const token = await newResetToken(id);
    const words = Array.from({ length: 10 }, (_, n) => `${freshPassword} ${n}`);
    const responses = await Promise.all(
      words.map((one) => resetPassword(token, { password: one })),
    );
    const won = responses.findIndex(({ status }) => status === 200);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(9);
    expect(await statusOfLogin(email, `${freshPassword} ${won}`)).toBe(200);
    expect((await resetPassword(token)).body.error.details).toEqual(aboutToken);
  });

  it('accepts only the latest token, for an hour', async () => {
    const { id } = await newPerson();
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const [older, newer] = [await newResetToken(id), await newResetToken(id)];
    expect((await resetPassword(older)).body.error.details).toEqual(aboutToken);
    vi.setSystemTime(start + 60 * 60_000);
    expect((await resetPassword(newer)).body.error.details).toEqual(aboutToken);
    vi.setSystemTime(start + 60 * 60_000 - 1);
    expect((await resetPassword(newer)).status).toBe(200);
  });

  it('rejects a foreign, unknown or empty token', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const token = await newResetToken(ann.id);
    const ofBob = await newResetToken(bob.id);
    const [id = '', secret = ''] = token.split('.');
    for (const wrong of [
      `${bob.id}.${secret}`,
      `${id}.${ofBob.split('.')[1]}`,
      `${token}x`,
      ` ${token}`,
      `0${token}`,
      secret,
      '',
      '1.x',
      `9${'9'.repeat(15)}.${secret}`,
      ann.token.slice(0, 256),
    ]) {
      const { status, body } = await resetPassword(wrong);
      expect([wrong, status, body.error.details]).toEqual([wrong, 400, aboutToken]);
    }
    expect([(await resetPassword(token)).status, (await resetPassword(ofBob)).status]).toEqual([
      200, 200,
    ]);
  });

  it.each([[undefined], [null], [{}], [[]], [7], [true], ['x'.repeat(257)]])(
    'rejects the malformed token %j',
    async (token) => {
      const { status, body } = await resetPassword(token);
      expect([status, body.error.details[0].field]).toEqual([400, 'token']);
    },
  );

  it('keeps a token valid after an invalid password', async () => {
    const { id } = await newPerson();
    const token = await newResetToken(id);
    for (const wrong of [
      { password: '12345' },
      { password: 'ü'.repeat(37) },
      { password: null },
      { confirmPassword: 'another' },
    ]) {
      expect((await resetPassword(token, wrong)).status).toBe(400);
    }
    expect((await resetPassword(token)).status).toBe(200);
  });

  it('stores nothing that reveals a link', async () => {
    const { id } = await newPerson();
    const [, secret = 'none'] = (await newResetToken(id)).split('.');
    expect(JSON.stringify(await itemsOf(`USER#${id}`))).not.toContain(secret);
  });
});

describe('a link', () => {
  it('ends when the owner changes the address', async () => {
    const { id, token } = await newPerson();
    const link = await newResetToken(id);
    await moveEmail(token);
    expect((await resetPassword(link)).body.error.details).toEqual(aboutToken);
    expect((await resetPassword(await newResetToken(id))).status).toBe(200);
  });

  it('ends when an administrator changes the address', async () => {
    const admin = await newUserOf('super_admin');
    const { id } = await newPerson();
    const link = await newResetToken(id);
    expect((await changeUser(admin, id, { email: newEmail() })).status).toBe(200);
    expect((await resetPassword(link)).status).toBe(400);
  });

  it('is not created for an address that the user no longer has', async () => {
    const { id, email } = await newPerson();
    expect(await createResetLink(id, newEmail())).toBeUndefined();
    expect(await createResetLink(id, email)).toEqual(expect.any(String));
    expect(await createResetLink(id + 1)).toBeUndefined();
  });

  it('stays valid after other changes of the user', async () => {
    const { id, token } = await newPerson();
    const link = await newResetToken(id);
    await updateProfile(token, { name: 'Ann B. Example' });
    expect((await resetPassword(link)).status).toBe(200);
  });
});
