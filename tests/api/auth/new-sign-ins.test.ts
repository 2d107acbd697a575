import { describe, expect, it, vi } from 'vitest';
import { createInvitationLink } from '../../../functions/api/users/account/password-link.ts';
import { create, find } from '../../../functions/api/users/record/users.ts';
import { systemAudit } from '../../../shared/audit/audit-log.ts';
import { listed } from '../../support/notifications/notifications.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { deadJobs, queuedWork, runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../support/service/mail.ts';
import { useFaults } from '../../support/table/lost-transactions.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import {
  newEmail,
  newPerson,
  newUserOf,
  type Person,
  password,
} from '../../support/users/test-users.ts';

useVirtualTime('2026-11-22T17:40:00Z');
useTable();
useJobs();
useMail();
const fail = useFaults();

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const newFirefox = firefox.replaceAll('140', '151');
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const home = { address: '203.0.113.7', userAgent: firefox };

type Place = Partial<typeof home>;
type Account = Pick<Person, 'id' | 'email'>;

const tryToSignIn = (account: Account, place: Place, given = password) =>
  call('POST /api/auth/login', { body: { email: account.email, password: given }, ...place });
const signIn = async (account: Account, place: Place = home): Promise<string> => {
  const { status, body } = await tryToSignIn(account, place);
  expect(status).toBe(200);
  return body.token;
};

/** Creates an account that has signed in at home. */
const settled = async (): Promise<Account & { token: string }> => {
  const account = await newAccount();
  return { ...account, token: await signIn(account) };
};

/** Creates an account with a password and no sign-ins. */
const newAccount = async (): Promise<Account> => {
  const email = newEmail();
  const body = { email, name: 'Ann Example', password, confirmPassword: password };
  const response = await call('POST /api/auth/register', { body, ...home });
  expect(response.status).toBe(201);
  return { id: response.body.user.id, email };
};

const deliver = async () => {
  for (let round = 0; round < 2; round++) {
    pass(1_000);
    await runMinute();
    await runJobs();
  }
  expect([...(await queuedWork()), ...(await deadJobs())]).toEqual([]);
};

/** Counts the emails and notifications of the owner. */
const told = async ({ email }: Account, token: string) => {
  await deliver();
  const notices = (await listed({ token })).items;
  return [(await mailsTo(email)).length, notices.length];
};

const setNotices = (token: string, isOn: boolean) =>
  call('PUT /api/users/me', {
    token,
    body: { notificationSettings: { newSignIns: { bell: isOn, mail: isOn } } },
  });

describe('a sign-in', () => {
  it('notifies no one from the place of registration', async () => {
    const ann = await settled();
    pass(86_400_000);
    await signIn(ann, { ...home, userAgent: newFirefox });
    const token = await signIn(ann, { ...home, address: '203.0.113.250' });
    expect(await told(ann, token)).toEqual([0, 0]);
  });

  it('notifies no one about the first sign-in to an account created by someone else', async () => {
    const email = newEmail();
    const { passwordHash = '' } = (await find((await newPerson()).id)) ?? {};
    const fields = { email, name: 'Bob Example', role: 'user', passwordHash } as const;
    const { id } = await create(fields, systemAudit('user.create'));
    const token = await signIn({ id, email });
    expect(await told({ id, email }, token)).toEqual([0, 0]);
    await signIn({ id, email }, { ...home, userAgent: safari });
    expect(await told({ id, email }, token)).toEqual([1, 1]);
  });

  it('stores the place where an invitation was accepted', async () => {
    const email = newEmail();
    const { id } = await create(
      { email, name: 'Invited Person', role: 'user' },
      systemAudit('user.create'),
    );
    const token = new URL((await createInvitationLink(id)) ?? '').searchParams.get('token');
    const body = { email, name: 'Bob Example', password, confirmPassword: password, token };
    const { status } = await call('POST /api/auth/register', { body, ...home });
    expect(status).toBe(201);
    expect(await told({ id, email }, await signIn({ id, email }))).toEqual([0, 0]);
    const elsewhere = await signIn({ id, email }, { address: '198.51.100.1' });
    expect(await told({ id, email }, elsewhere)).toEqual([1, 1]);
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
      await tryToSignIn(ann, home),
      await tryToSignIn(ann, { ...home, address: '198.51.100.1' }),
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
    expect((await tryToSignIn(ann, elsewhere, 'wrong horse')).status).toBe(401);
    const { refreshToken } = (await tryToSignIn(ann, home)).body;
    const refreshed = await call('POST /api/auth/refresh', {
      body: { refreshToken },
      ...elsewhere,
    });
    expect(refreshed.status).toBe(200);
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
    const ann = await newAccount();
    await Promise.all([1, 2, 3].map(() => signIn(ann)));
    expect(await told(ann, await signIn(ann))).toEqual([0, 0]);
  });

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
      await deliver();
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
  }, 30_000);

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
    const own = async () => (await call('GET /api/users/me', { token: ann.token })).body.data;
    expect((await own()).notificationSettings.newSignIns).toEqual({ bell: true, mail: true });
    const off = await setNotices(ann.token, false);
    expect(off.status).toBe(200);
    expect((await own()).notificationSettings.newSignIns).toEqual({ bell: false, mail: false });
    const admin = await newUserOf('super_admin');
    const params = { id: String(ann.id) };
    const shown = await call('GET /api/users/{id}', { token: admin.token, params });
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
    const body = { currentPassword: password, password: 'battery staple' };
    expect((await call('PUT /api/auth/password', { token: ann.token, body })).status).toBe(200);
    expect(await told(ann, ann.token)).toEqual([1, 1]);
  });
});
