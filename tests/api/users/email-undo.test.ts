import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { form } from '../../support/service/form.ts';
import { instead } from '../../support/service/interruption.ts';
import { settleJobs, useJobs } from '../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../support/service/mail.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import {
  changeEmail,
  createApiToken,
  forgotPassword,
  freshPassword,
  me,
  moveEmail,
  profile,
  resetPassword,
} from '../../support/users/account.ts';
import { changeUser, removeUser } from '../../support/users/administration.ts';
import { newResetToken, newUndoToken, tokenOfLink } from '../../support/users/links.ts';
import {
  login,
  newEmail,
  newPerson,
  newUserOf,
  newVerified,
  type Person,
  register,
} from '../../support/users/test-users.ts';

useTable();
useJobs();
useMail();
useVirtualTime('2026-11-21T12:00:00.000Z');
afterEach(() => {
  vi.restoreAllMocks();
});

const hourMs = 3_600_000;

const setEmail = moveEmail;
const open = (token: string) => call('GET /undo-email', { query: { token } });
const undo = (token: string) => call('POST /undo-email', form({ token }));
const emailOf = async (token: string) => (await profile(token)).body.data.email;
const storedUser = async ({ id }: Person) =>
  (await itemsOf(`USER#${id}`)).find(({ sk }) => sk === 'USER') as unknown as StoredUser;
/** Returns when the address of a user was first changed (ms since 1970). */
const changeOf = async (person: Person) =>
  Date.parse((await storedUser(person)).formerEmails?.[0]?.changedAt ?? '');

/** Returns the token of the newest email about a change to this previous address. */
const undoTokenOf = async (email: string): Promise<string> => {
  const mail = (await mailsTo(email)).findLast(({ subject }) => /was changed$/.test(subject));
  return tokenOfLink(linkOf(mail ?? expect.unreachable()));
};

const isInvalid = async (token: string) => {
  for (const { status, body } of [await open(token), await undo(token)]) {
    expect([status, body]).toEqual([
      400,
      expect.stringContaining('<h1>This link is invalid or expired</h1>'),
    ]);
    expect(body).not.toMatch(/<form|@example/);
  }
};
const isDone = ({ status, body }: Answer, email: string) => {
  expect(status).toBe(200);
  expect(body).toContain('<h1>Email address restored</h1>');
  expect(body).toContain(`<strong>${email}</strong>`);
};

/** Creates a user whose address was changed by someone else who knows the password. */
const newVictim = async (): Promise<Person & { readonly next: string; readonly undo: string }> => {
  const ann = await newVerified();
  const next = await setEmail((await login(ann.email)).body.token);
  await settleJobs();
  return { ...ann, next, undo: await undoTokenOf(ann.email) };
};

describe('the undo link', () => {
  it('restores the address, ends all sessions and tokens, and starts a password reset', async () => {
    const ann = await newVerified();
    const thief = (await login(ann.email)).body.token;
    const made = await createApiToken(thief, { name: 'Backdoor' });
    const next = await setEmail(thief);
    await settleJobs();
    const token = await undoTokenOf(ann.email);

    for (let look = 0; look < 2; look++) {
      const { status, body, headers } = await open(token);
      expect([status, headers['cache-control'], headers['referrer-policy']]).toEqual([
        200,
        'no-store',
        // The origin alone, never the path with the token.
        'strict-origin',
      ]);
      expect(body).toContain(`<strong>${ann.email}</strong>`);
      expect(body).toContain('<form method="post" action="/undo-email">');
      expect(body).not.toContain(next);
      expect(body).not.toMatch(/<script| on\w+=/);
    }
    await call('HEAD /undo-email', { query: { token } });
    expect(await emailOf(thief)).toBe(next);

    const done = await undo(token);
    isDone(done, ann.email);
    expect(done.cookies).toEqual([]);
    for (const ended of [ann.token, thief, made.body.data.token]) {
      expect((await me(ended)).status).toBe(401);
    }
    expect((await login(ann.email)).status).toBe(401);
    expect((await login(next)).status).toBe(401);
    await isInvalid(token);

    await settleJobs();
    expect((await mailsTo(next)).map(({ subject }) => subject)).toEqual([]);
    const mail = (await mailsTo(ann.email)).at(-1) ?? expect.unreachable();
    expect(mail.subject).toBe('Reset your Handbill password');
    expect((await resetPassword(tokenOfLink(linkOf(mail)))).status).toBe(200);
    expect((await login(ann.email, freshPassword)).status).toBe(200);
    expect((await register(next)).status).toBe(201);

    const [entry, ...others] = (await itemsOf(`AUDIT#SUBJECT#user:${ann.id}`)).filter(
      ({ action }) => action === 'email.restore',
    );
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actorId: ann.id,
      before: { email: next },
      after: { email: ann.email, password: 'ended', sessions: 'ended', apiTokens: 'ended' },
    });
  });

  it('ends with a change by an administrator, which sends none', async () => {
    const [ann, admin] = [await newVictim(), await newUserOf('super_admin')];
    expect((await changeUser(admin, ann.id, { email: newEmail() })).status).toBe(200);
    await settleJobs();
    await isInvalid(ann.undo);
    expect((await mailsTo(ann.next)).map(({ subject }) => subject)).toEqual([
      'An administrator changed your email address',
    ]);
    // The former address is free again.
    expect((await register(ann.email)).status).toBe(201);
  });

  it('is valid for 72 hours', async () => {
    const [ann, bob] = [await newVictim(), await newVictim()];
    vi.setSystemTime((await changeOf(ann)) + 72 * hourMs - 1);
    isDone(await undo(ann.undo), ann.email);
    vi.setSystemTime((await changeOf(bob)) + 72 * hourMs);
    await isInvalid(bob.undo);
    expect((await storedUser(bob)).email).toBe(bob.next);
  });

  it('works once, also for 10 concurrent requests', async () => {
    const ann = await newVictim();
    const responses = await Promise.all(Array.from({ length: 10 }, () => undo(ann.undo)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(9);
  });

  it('rejects an incorrect, empty or missing token and that of a removed user', async () => {
    const ann = await newVictim();
    for (const wrong of ['', '1.x', `${ann.undo}x`, `${ann.id}.${'x'.repeat(43)}`]) {
      await isInvalid(wrong);
    }
    expect((await call('GET /undo-email')).status).toBe(400);
    expect((await call('POST /undo-email')).status).toBe(400);
    expect((await call('GET /reset', { query: { token: ann.undo } })).status).toBe(400);
    await removeUser(await newUserOf('super_admin'), ann.id);
    await isInvalid(ann.undo);
  });

  it('succeeds during a concurrent change of the account', async () => {
    const ann = await newVictim();
    const thief = (await login(ann.next)).body.token;
    const third = newEmail();
    instead(documentClient(), TransactWriteCommand, async (go) => {
      await setEmail(thief, third);
      return go();
    });
    isDone(await undo(ann.undo), ann.email);
    expect((await register(third)).status).toBe(201);
  });

  it('is stored only as a hash', async () => {
    const token = await newUndoToken();
    const [, secret = ''] = token.split('.');
    expect(secret).toHaveLength(43);
    expect(JSON.stringify(await itemsOf(''))).not.toContain(secret);
  });
});

describe('several changes within 72 hours', () => {
  it('let the first address restore the account', async () => {
    const ann = await newVictim();
    await setEmail((await login(ann.next)).body.token);
    await settleJobs();
    const newer = await undoTokenOf(ann.next);
    isDone(await undo(newer), ann.next);
    isDone(await undo(ann.undo), ann.email);
    expect((await storedUser(ann)).email).toBe(ann.email);
  });

  it('end the newer links when an older one is used', async () => {
    const ann = await newVictim();
    await setEmail((await login(ann.next)).body.token);
    await settleJobs();
    const newer = await undoTokenOf(ann.next);
    isDone(await undo(ann.undo), ann.email);
    await isInvalid(newer);
  });

  it('keep the link of an address that the account returned to', async () => {
    const ann = await newVictim();
    const thief = (await login(ann.next)).body.token;
    await setEmail(thief, ann.email);
    await settleJobs();
    // The newer address gets no link: it may belong to an attacker.
    const told = (await mailsTo(ann.next)).find(({ subject }) => /was changed$/.test(subject));
    expect(told?.text).toContain('contact an administrator');
    isDone(await undo(ann.undo), ann.email);
    expect((await me(thief)).status).toBe(401);
  });

  it('keep up to 10 links, including the first', async () => {
    const ann = await newVictim();
    const thief = (await login(ann.next)).body.token;
    for (let more = 0; more < 12; more++) {
      await setEmail(thief);
      await settleJobs();
    }
    expect((await storedUser(ann)).formerEmails).toHaveLength(10);
    isDone(await undo(ann.undo), ann.email);
  });
});

/** Changes the address while email is off, so it is unproven, and proves it by a recovery. */
const recover = async ({ id }: Person, email: string): Promise<number> => {
  const { token } = (await login(email)).body;
  vi.stubEnv('MAIL_FROM', undefined);
  expect((await changeEmail(token)).status).toBe(200);
  vi.unstubAllEnvs();
  return (await resetPassword(await newResetToken(id))).status;
};

const replace = async ({ id }: Person): Promise<number> =>
  (await changeUser(await newUserOf('super_admin'), id, { email: newEmail() })).status;

/** Creates a user who returned to the first address and left it again. */
const newReturned = async () => {
  const ann = await newVictim();
  const { token } = (await login(ann.next)).body;
  await setEmail(token, ann.email);
  return { ...ann, last: await setEmail(token) };
};

describe('an address that the account left twice', () => {
  it('restores the account by the link of either change', async () => {
    const [ann, bob] = [await newReturned(), await newReturned()];
    isDone(await undo(ann.undo), ann.email);
    await settleJobs();
    const newer = await undoTokenOf(bob.email);
    expect(newer).not.toBe(bob.undo);
    isDone(await undo(newer), bob.email);
    await isInvalid(bob.undo);
  });

  it('hinders no change by an administrator and no recovery, and is free then', async () => {
    const [ann, bob] = [await newReturned(), await newReturned()];
    expect([await replace(ann), await recover(bob, bob.last)]).toEqual([200, 200]);
    for (const { email } of [ann, bob]) expect((await register(email)).status).toBe(201);
  });

  it('stays reserved while its link is valid, also if email was off at the second change', async () => {
    const ann = await newVictim();
    const { token } = (await login(ann.next)).body;
    await setEmail(token, ann.email);
    vi.stubEnv('MAIL_FROM', undefined);
    expect((await changeEmail(token)).status).toBe(200);
    vi.unstubAllEnvs();
    expect((await register(ann.email)).status).toBe(409);
    isDone(await undo(ann.undo), ann.email);
  });
});

describe('a previous address', () => {
  it('is reserved for 72 hours, then available', async () => {
    const ann = await newVictim();
    const bob = await newPerson();
    const taken = await changeEmail(bob.token, ann.email.toUpperCase());
    expect([(await register(ann.email)).status, taken.status]).toEqual([409, 409]);
    isDone(await undo(ann.undo), ann.email);
    const eve = await newVictim();
    vi.setSystemTime((await changeOf(eve)) + 72 * hourMs - 1);
    expect((await register(eve.email)).status).toBe(409);
    vi.setSystemTime((await changeOf(eve)) + 72 * hourMs);
    expect((await register(eve.email)).status).toBe(201);
    await isInvalid(eve.undo);
  });

  it('hinders no change by an administrator and no recovery once someone else has it', async () => {
    const [ann, bob] = [await newVictim(), await newVictim()];
    vi.setSystemTime((await changeOf(bob)) + 72 * hourMs);
    for (const { email } of [ann, bob]) expect((await register(email)).status).toBe(201);
    expect([await replace(ann), await recover(bob, bob.next)]).toEqual([200, 200]);
    expect((await login(ann.email)).status).toBe(200);
  });

  it('signs no one in and receives no password reset link', async () => {
    const ann = await newVictim();
    expect((await login(ann.email)).status).toBe(401);
    const before = await mailsTo(ann.email);
    expect((await forgotPassword(ann.email)).status).toBe(200);
    await settleJobs();
    expect(await mailsTo(ann.email)).toHaveLength(before.length);
  });

  it('is available immediately while email is disabled', async () => {
    vi.stubEnv('MAIL_FROM', undefined);
    const ann = await newVerified();
    await changeEmail(ann.token);
    await settleJobs();
    vi.unstubAllEnvs();
    expect(await mailsTo(ann.email)).toEqual([]);
    expect((await register(ann.email)).status).toBe(201);
  });
});

describe('the page after an undo', () => {
  it('refers to an administrator if no password reset link can be emailed', async () => {
    const ann = await newVictim();
    vi.stubEnv('MAIL_FROM', undefined);
    const response = await undo(ann.undo);
    vi.unstubAllEnvs();
    isDone(response, ann.email);
    expect(response.body).toContain('Ask an administrator');
  });
});
