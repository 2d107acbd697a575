import { describe, expect, it } from 'vitest';
import {
  forgetTexts,
  keepTexts,
  recallTexts,
} from '../../../functions/api/share/reading/text-memory.ts';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
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

const packed = (length: number) => ({ id: `${length}`, packed: new Uint8Array(length) });

describe('kept texts', () => {
  it('make room for others, the least recently used first', () => {
    const ids = Array.from({ length: 17 }, (_, at) => `share-${at}`);
    // With what an entry takes besides, sixteen fit.
    for (const id of ids.slice(0, 16)) keepTexts(id, packed(1024 * 1024 - 512));
    recallTexts('share-0');
    keepTexts('share-16', packed(1024 * 1024 - 512));
    expect(ids.filter((id) => recallTexts(id) === undefined)).toEqual(['share-1']);
    keepTexts('too large', packed(17 * 1024 * 1024));
    expect(['too large', ...ids].filter((id) => recallTexts(id))).toEqual([]);
  });

  it('are no part of a larger buffer', () => {
    const pooled = Buffer.from('small');
    keepTexts('pooled', { id: '1', packed: pooled });
    const texts = recallTexts('pooled');
    expect([texts?.packed.buffer.byteLength, Buffer.from(texts?.packed ?? []).toString()]).toEqual([
      5,
      'small',
    ]);
  });

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

  it('are not read again with the share', async () => {
    const ann = sharesOf(await newUserOf('user'));
    const id = await ann.newShare({ content: randomText(15_800) });
    const meter = meterAws();
    const units = async () => (await meter.measure(() => page(id))).readUnits;
    forgetTexts(id);
    expect([await units(), await units()]).toEqual([5, 2]);
    meter.stop();
    expect(shareKeys.access.at({ id }).sk < shareKeys.content.at({ id }).sk).toBe(true);
  });
});
