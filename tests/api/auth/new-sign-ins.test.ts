import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { find } from '../../../functions/api/users/record/users.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { listed } from '../../support/notifications/notifications.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { instead } from '../../support/service/interruption.ts';
import { settleJobs, useJobs } from '../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../support/service/mail.ts';
import { useFaults } from '../../support/table/lost-transactions.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import {
  changePassword,
  freshPassword,
  profile,
  refresh,
  resetPassword,
  updateProfile,
} from '../../support/users/account.ts';
import { readUser } from '../../support/users/administration.ts';
import { newInvitationToken, newResetToken } from '../../support/users/links.ts';
import {
  login,
  newAccount,
  newEmail,
  newInvited,
  newUserOf,
  type Person,
  register,
  setUser,
} from '../../support/users/test-users.ts';

useVirtualTime('2026-11-22T17:40:00Z');
useTable();
useJobs();
useMail();

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const newFirefox = firefox.replaceAll('140', '151');
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const home = { address: '203.0.113.7', userAgent: firefox };

type Place = Partial<typeof home>;
type Account = Pick<Person, 'id' | 'email'>;

const signIn = async ({ email }: Account, place: Place = home): Promise<string> => {
  const { status, body } = await login(email, undefined, place);
  expect(status).toBe(200);
  return body.token;
};

/** Creates an account that has signed in at home. */
const settled = async (): Promise<Account & { token: string }> => {
  const account = await registeredAtHome();
  return { ...account, token: await signIn(account) };
};

/** Creates an account with a password and no sign-ins. */
const registeredAtHome = async (): Promise<Account> => {
  const email = newEmail();
  const response = await register(email, {}, home);
  expect(response.status).toBe(201);
  return { id: response.body.user.id, email };
};

/** Counts the emails and notifications of the owner. */
const told = async ({ email }: Account, token: string) => {
  await settleJobs();
  const notices = (await listed({ token })).items;
  return [(await mailsTo(email)).length, notices.length];
};

const setNotices = (token: string, isOn: boolean) =>
  updateProfile(token, { notificationSettings: { newSignIns: { bell: isOn, mail: isOn } } });

describe('a sign-in', () => {
  it('notifies no one from the place of registration', async () => {
    const ann = await settled();
    pass(86_400_000);
    await signIn(ann, { ...home, userAgent: newFirefox });
    const token = await signIn(ann, { ...home, address: '203.0.113.250' });
    expect(await told(ann, token)).toEqual([0, 0]);
  });

  it('notifies no one about the first sign-in to an account created by someone else', async () => {
    const { id, email } = await newAccount();
    const token = await signIn({ id, email });
    expect(await told({ id, email }, token)).toEqual([0, 0]);
    await signIn({ id, email }, { ...home, userAgent: safari });
    expect(await told({ id, email }, token)).toEqual([1, 1]);
  });

  it('stores the place where an invitation was accepted', async () => {
    const { id, email } = await newInvited();
    const token = await newInvitationToken(id);
    expect((await register(email, { token }, home)).status).toBe(201);
    expect(await told({ id, email }, await signIn({ id, email }))).toEqual([0, 0]);
    const elsewhere = await signIn({ id, email }, { address: '198.51.100.1' });
    expect(await told({ id, email }, elsewhere)).toEqual([1, 1]);
  });

  it('is not new from the place of a recovery, but from those that it ended', async () => {
    const ann = await settled();
    const away = { address: '198.51.100.1' };
    const reset = await resetPassword(await newResetToken(ann.id), {}, away);
    expect(reset.status).toBe(200);
    const signInAgain = async (place: Place) =>
      (await login(ann.email, freshPassword, place)).body.token;
    // The alert about the new password
    expect(await told(ann, await signInAgain(away))).toEqual([1, 1]);
    expect(await told(ann, await signInAgain(home))).toEqual([2, 2]);
  });

  it('during a recovery stores its place too', async () => {
    const ann = await settled();
    await setUser(ann.id, { emailVerifiedAt: new Date().toISOString() });
    const token = await newResetToken(ann.id);
    instead(documentClient(), TransactWriteCommand, async (go) => {
      await signIn(ann, { address: '198.51.100.1' });
      return go();
    });
    expect((await resetPassword(token, {}, { address: '198.51.102.1' })).status).toBe(200);
    vi.restoreAllMocks();
    expect((await find(ann.id))?.signInPlaces?.split(' ')).toHaveLength(3);
  });

  it.each([
    ['network', { address: '198.51.100.20' }, 'Firefox on Windows (network 198.51.100.0/24)'],
    ['device', { userAgent: safari }, 'Safari on iPhone (network 203.0.113.0/24)'],
    ['IPv6 network', { address: '2001:db8:7::1' }, 'Firefox on Windows (network 2001:db8:7::/48)'],
    [
      'device without a user agent',
      { userAgent: '' },
      'an unknown device (network 203.0.113.0/24)',
    ],
  ])('from another %s notifies the owner once', async (_, change, from) => {
    const ann = await settled();
    const place = { ...home, ...change };
    const at = `${new Date().toISOString().slice(0, 10)} at ${new Date().toISOString().slice(11, 16)} UTC`;
    await signIn(ann, place);
    const content = `Someone signed in to your account from ${from} on ${at}.`;
    expect(await told(ann, ann.token)).toEqual([1, 1]);
    const [mail] = await mailsTo(ann.email);
    expect(mail?.subject).toBe('New sign-in to your account');
    expect(mail?.text).toContain(content);
    expect(mail?.text).toContain('change your password now and end the other sessions');
    expect(mail?.text).toContain(
      'You can turn off emails about new sign-ins in your notification settings.',
    );
    expect(linkOf(mail ?? expect.unreachable())).toBe('https://handbill.test/account');
    expect((await listed({ token: ann.token })).items).toMatchObject([
      { type: 'alert', title: 'New sign-in to your account', content, link: '/account' },
    ]);
    pass(60_000);
    await signIn(ann, place);
    await signIn(ann);
    expect(await told(ann, ann.token)).toEqual([1, 1]);
  });

  it('reveals no text of the user agent', async () => {
    const ann = await settled();
    await signIn(ann, { ...home, userAgent: '<b>evil.example.com</b>' });
    expect(await told(ann, ann.token)).toEqual([1, 1]);
    const [mail] = await mailsTo(ann.email);
    expect(JSON.stringify([mail, (await listed({ token: ann.token })).items])).not.toMatch(/evil/);
  });

  it('returns the same whether the place is new or not', async () => {
    const ann = await settled();
    const responses = [
      await login(ann.email, undefined, home),
      await login(ann.email, undefined, { ...home, address: '198.51.100.1' }),
    ];
    const [known, unknown] = responses.map(({ status, headers, body }) => {
      // Each network has a bucket of its own.
      const names = Object.keys(headers).sort();
      return {
        status,
        names,
        keys: Object.keys(body).sort(),
        user: body.user,
        data: Object.keys(body.data),
      };
    });
    expect(unknown).toEqual(known);
  });

  it('stores and notifies nothing when rejected or when tokens are refreshed', async () => {
    const ann = await settled();
    const elsewhere = { address: '198.51.100.1', userAgent: safari };
    const before = (await find(ann.id))?.signInPlaces;
    expect((await login(ann.email, 'wrong horse', elsewhere)).status).toBe(401);
    const { refreshToken } = (await login(ann.email, undefined, home)).body;
    expect((await refresh(refreshToken, elsewhere)).status).toBe(200);
    expect((await find(ann.id))?.signInPlaces).toEqual(before);
    expect(await told(ann, ann.token)).toEqual([0, 0]);
  });

  it('notifies once about concurrent sign-ins from a new place', async () => {
    const ann = await settled();
    const place = { address: '198.51.100.1' };
    await Promise.all([1, 2, 3, 4, 5].map(() => signIn(ann, place)));
    expect(await told(ann, ann.token)).toEqual([1, 1]);
  });

  it('treats no place as new for concurrent first sign-ins', async () => {
    const ann = await registeredAtHome();
    await Promise.all([1, 2, 3].map(() => signIn(ann)));
    expect(await told(ann, await signIn(ann))).toEqual([0, 0]);
  });

  it('sends no email while email is disabled', async () => {
    const ann = await settled();
    vi.stubEnv('MAIL_FROM', undefined);
    await signIn(ann, { address: '198.51.100.1' });
    expect(await told(ann, ann.token)).toEqual([0, 1]);
    vi.unstubAllEnvs();
    expect(await told(ann, ann.token)).toEqual([0, 1]);
  });
});

describe('the stored places of an account', () => {
  const away = (number: number): Place => ({ ...home, address: `10.0.${number}.1` });

  it('are limited to 20 and replace the least recently used', async () => {
    const ann = await settled();
    for (let number = 1; number < 20; number++) {
      await signIn(ann, away(number));
      await settleJobs();
    }
    // The oldest one, kept because it is used.
    await signIn(ann);
    await signIn(ann, away(20));
    expect((await find(ann.id))?.signInPlaces?.split(' ')).toHaveLength(20);
    expect(await told(ann, ann.token)).toEqual([20, 20]);
    await signIn(ann);
    await signIn(ann, away(20));
    expect(await told(ann, ann.token)).toEqual([20, 20]);
    await signIn(ann, away(1));
    expect(await told(ann, ann.token)).toEqual([21, 21]);
  });

  it('are codes that reveal neither the place nor a match between accounts', async () => {
    const [ann, bob] = [await settled(), await settled()];
    const places = [(await find(ann.id))?.signInPlaces, (await find(bob.id))?.signInPlaces];
    expect(places).toEqual([
      expect.stringMatching(/^[\w-]{8}$/),
      expect.stringMatching(/^[\w-]{8}$/),
    ]);
    expect(places[0]).not.toEqual(places[1]);
  });

  it('are unchanged for a known place', async () => {
    const ann = await settled();
    const places = (await find(ann.id))?.signInPlaces;
    const items = (await itemsOf('OUTBOX')).length;
    await signIn(ann);
    expect((await find(ann.id))?.signInPlaces).toEqual(places);
    expect(await itemsOf('OUTBOX')).toHaveLength(items);
  });
});

describe('the setting of new sign-ins', () => {
  it('is on by default, visible only to its owner, and controls the notifications', async () => {
    const ann = await settled();
    const own = async () => (await profile(ann.token)).body.data;
    expect((await own()).notificationSettings.newSignIns).toEqual({ bell: true, mail: true });
    const off = await setNotices(ann.token, false);
    expect(off.status).toBe(200);
    expect((await own()).notificationSettings.newSignIns).toEqual({ bell: false, mail: false });
    const shown = await readUser(await newUserOf('super_admin'), ann.id);
    expect(shown.body.data).not.toHaveProperty('notificationSettings');
    await signIn(ann, { address: '198.51.100.1' });
    expect(await told(ann, ann.token)).toEqual([0, 0]);
    expect((await setNotices(ann.token, true)).status).toBe(200);
    // The place was stored while notifications were off.
    await signIn(ann, { address: '198.51.100.1' });
    expect(await told(ann, ann.token)).toEqual([0, 0]);
    await signIn(ann, { address: '198.51.102.1' });
    expect(await told(ann, ann.token)).toEqual([1, 1]);
  });

  it('does not affect the alerts about a new password', async () => {
    const ann = await settled();
    await setNotices(ann.token, false);
    expect((await changePassword(ann.token)).status).toBe(200);
    expect(await told(ann, ann.token)).toEqual([1, 1]);
  });
});

describe('a sign-in while the table fails', () => {
  const fail = useFaults();

  it.each([['lost'], ['throttled']] as const)(
    'notifies once if the response of the table is %s',
    async (fault) => {
      const ann = await settled();
      fail([fault]);
      await signIn(ann, { address: '198.51.100.1' });
      expect(await told(ann, ann.token)).toEqual([1, 1]);
      await signIn(ann, { address: '198.51.100.1' });
      expect(await told(ann, ann.token)).toEqual([1, 1]);
    },
  );
});
