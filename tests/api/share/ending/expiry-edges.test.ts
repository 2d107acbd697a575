import { randomBytes } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../../shared/db/dynamodb.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { instead } from '../../../support/service/interruption.ts';
import { runMinute, useJobs } from '../../../support/service/jobs.ts';
import { textObjects } from '../../../support/shares/objects.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { view } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson, newUserOf } from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();
afterEach(() => {
  vi.restoreAllMocks();
});

const second = 1_000;
/** In UTC these are in the year 10000, which sorts before all other years as text. */
const tooFar = ['9999-12-31T23:59:59-00:01', '9999-12-31T23:00:00-23:59'];
const last = '9999-12-31T23:59:59.999Z';
const refused = (field: string) => ({
  status: 400,
  body: { error: { details: [{ field, message: 'must be before the year 10000' }] } },
});

/** Too large for the table. */
const large = () => randomBytes(15_000).toString('base64');

describe('the expiration of a share', () => {
  it.each(tooFar)('cannot be after the year 9999: %s', async (expiresAt) => {
    const { create, newShare, put, look } = sharesOf(await newPerson());
    expect(await create({ expiresAt })).toMatchObject(refused('expiresAt'));
    const id = await newShare({ expiresIn: 60 });
    expect(await put(id, { expiresAt })).toMatchObject(refused('expiresAt'));
    expect((await look(id)).body.expiresAt).toBe('2026-11-21T12:01:00.000Z');
  });

  it('can be the last moment of that year and appears in lists and scheduled runs', async () => {
    const { newShare, list } = sharesOf(await newPerson());
    const { token } = await newUserOf('super_admin');
    const ids = [await newShare({ expiresAt: last }), await newShare({ expiresIn: 1 })];
    expect(
      (await list()).body.items.map(({ expiresAt }: { expiresAt: string }) => expiresAt),
    ).toContain(last);
    expect((await sharesOf({ token }).manage(ids[0] ?? '')).body.data.expiresAt).toBe(last);
    pass(122 * second);
    await runMinute();
    expect((await Promise.all(ids.map((id) => view(id)))).map(({ status }) => status)).toEqual([
      200, 410,
    ]);
  });
});

it('returns the new content if the previous object was deleted after the record was read', async () => {
  const { newShare, put, look } = sharesOf(await newPerson());
  const id = await newShare({ content: large(), viewLimit: 2 });
  const objects = async () => (await textObjects()).filter((key) => key.includes(id));
  const [former] = await objects();
  const next = large();
  instead(documentClient(), QueryCommand, async (go) => {
    const record = await go();
    expect((await put(id, { content: next })).status).toBe(200);
    pass(1_000);
    await runMinute();
    return record;
  });
  const { status, body } = await view(id);
  expect([status, body.content === next, body.views, body.version]).toEqual([200, true, 1, 2]);
  // The new one, and the former as a revision.
  expect(await objects()).toHaveLength(2);
  expect(await objects()).not.toContain(former);
  expect((await look(id)).body.views).toBe(1);
});
