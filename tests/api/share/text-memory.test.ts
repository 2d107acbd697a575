// Whether a process that keeps the texts of a share reads and shows only what is current. `tests/contract/budget.test.ts`
// proves the cost of a known page from outside.
import { describe, expect, it } from 'vitest';
import {
  forgetTexts,
  keepTexts,
  recallTexts,
} from '../../../functions/api/share/reading/text-memory.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import type { Answer } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { randomText } from '../../support/shares/contents.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { frame, page, raw, view } from '../../support/shares/shares.ts';
import { meterAws } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';

useTable();
useBucket();
useJobs();

describe('kept texts', () => {
  it.each([
    ['in the table', randomText(1_024)],
    ['in the bucket', randomText(50 * 1024)],
  ])('are not shown once another process has replaced them: %s', async (_, former) => {
    const ann = sharesOf(await newUserOf('user'));
    const id = await ann.newShare({ content: former });
    expect((await view(id)).body.content).toBe(former);
    const kept = recallTexts(id);
    expect((await ann.put(id, { content: 'Current' })).status).toBe(200);
    for (const read of [view, raw, frame]) {
      if (kept) keepTexts(id, kept);
      const { body } = await read(id);
      const text = String(body.content ?? body);
      expect([text.includes('Current'), text.includes(former)]).toEqual([true, false]);
      // The next view reads only what decides about it.
      expect(recallTexts(id)?.id).not.toBe(kept?.id);
    }
  });

  it.each([
    ['ended', 410],
    ['deleted', 404],
  ] as const)('are not shown of a share that was %s', async (what, status) => {
    const ann = sharesOf(await newUserOf('user'));
    const id = await ann.newShare({ content: randomText(1_024) });
    await view(id);
    const kept = recallTexts(id);
    await (what === 'ended' ? ann.end(id) : ann.remove(id));
    expect(kept).toBeDefined();
    for (const read of [view, page, raw, frame]) {
      if (kept) keepTexts(id, kept);
      expect((await read(id)).status).toBe(status);
    }
  });

  it('are not read again with the share and its owner, which take one trip', async () => {
    const ann = sharesOf(await newUserOf('user'));
    const id = await ann.newShare({ content: randomText(15_800) });
    const meter = meterAws();
    const cost = async (look: (id: string) => Promise<Answer>) => {
      const { readUnits, tableTrips, requests } = await meter.measure(() => look(id));
      return { readUnits, tableTrips, bucket: requests.bucket };
    };
    forgetTexts(id);
    expect((await cost(page)).readUnits).toBe(5);
    for (const look of [page, raw, frame]) {
      expect(await cost(look)).toEqual({ readUnits: 2, tableTrips: 1, bucket: 0 });
    }
    // A view by the API is counted by a write of its own.
    expect(await cost(view)).toEqual({ readUnits: 2, tableTrips: 2, bucket: 0 });
    meter.stop();
  });
});
