import { expect, it } from 'vitest';
import type { Identity } from '../../../../functions/api/auth/identities/identity.ts';
import {
  connectAs,
  connecting,
  newIdentity,
  signedInAs,
  signInAs,
  tokenOf,
  useProviders,
} from '../../../support/identities/identities.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { meterAws } from '../../../support/table/meter.ts';
import { useTable } from '../../../support/table/table.ts';
import { enrolTotp } from '../../../support/users/factors.ts';
import { newAccount, newPerson } from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useProviders();

let people = 100;

/** As long as all others, because users are indexed by the words of their address. */
const nextIdentity = (): Identity => newIdentity({ email: `user${++people}@example.com` });

it('what follows from a sign-in at a provider costs as much as stated', async () => {
  const meter = meterAws();
  const lines: string[] = [];
  const measure = async (name: string, act: () => Promise<unknown>) => {
    const { readUnits, writeUnits, tableTrips } = await meter.measure(act);
    lines.push(`${name}: ${readUnits} RU ${writeUnits} WU ${tableTrips} trips`);
  };
  const known = nextIdentity();
  await measure('a new account', () => signedInAs(known));
  await measure('a known identity', () => signedInAs(known));
  const ofAccount = nextIdentity();
  await newAccount({ email: ofAccount.email ?? '', emailVerifiedAt: '2026-11-21T11:00:00.000Z' });
  await measure('an account of the same address', () => signedInAs(ofAccount));
  const { token } = await newPerson();
  const by = await connecting(token);
  await measure('connecting', () => connectAs(nextIdentity(), by));
  await measure('an unproven address', () => signInAs(newIdentity({ isEmailProven: false })));
  const guarded = await signedInAs(known);
  const { id, email } = guarded.user;
  await enrolTotp({ id, email, token: await tokenOf(guarded), refreshToken: '' });
  await measure('a second step', () => signInAs(known));
  meter.stop();
  expect(lines).toMatchInlineSnapshot(`
    [
      "a new account: 3 RU 34 WU 4 trips",
      "a known identity: 3 RU 12 WU 3 trips",
      "an account of the same address: 5 RU 20 WU 5 trips",
      "connecting: 4 RU 16 WU 2 trips",
      "an unproven address: 1 RU 6 WU 2 trips",
      "a second step: 3 RU 4 WU 3 trips",
    ]
  `);
});
