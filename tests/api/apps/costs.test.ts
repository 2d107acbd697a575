import { expect, it } from 'vitest';
import { authenticateApp } from '../../../shared/auth/app.ts';
import {
  allow,
  appsOf,
  bodyOf,
  connect,
  decide,
  exchange,
  newClient,
  refreshApp,
  renewApp,
  revokeApp,
} from '../../support/apps/apps.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
const { ann } = usePeople({ ann: 'user' });
const meter = useMeter();

/** Returns the units and the trips of a request, without those of rate limits. */
const measure = async (work: () => Promise<unknown>) => {
  const { readUnits, writeUnits, writes, tableTrips } = await meter.measure(work);
  const { LIMIT: limits = 0 } = writes;
  return { readUnits, writeUnits: writeUnits - limits, trips: tableTrips - limits };
};

it('exchanges a code in two trips: one that reads, one transaction', async () => {
  const allowed = await allow(ann, await newClient());
  expect(await measure(() => exchange(allowed))).toEqual({
    readUnits: 3,
    writeUnits: 4,
    trips: 2,
  });
});

it('refreshes in two trips, and writes the first use of the new token once', async () => {
  const tokens = await connect(ann);
  expect(await measure(() => refreshApp(tokens.client, tokens.refresh))).toEqual({
    readUnits: 2,
    writeUnits: 1,
    trips: 2,
  });
  const renewed = await renewApp(tokens);
  const use = () => authenticateApp(renewed.access);
  expect(await measure(use)).toEqual({ readUnits: 2, writeUnits: 1, trips: 2 });
  expect(await measure(use)).toEqual({ readUnits: 2, writeUnits: 0, trips: 1 });
});

it('decides and revokes in one transaction each', async () => {
  const client = await newClient();
  // App, code, user, alert, and the audit entry by time and by subject.
  const decision = await measure(() => decide(ann, bodyOf(client)));
  expect(decision.writeUnits).toBe(12);
  const [{ id }] = await appsOf(ann);
  expect((await measure(() => revokeApp(ann, id))).writeUnits).toBe(6);
});
