// Whether a large text is stored with its record or not at all; `tests/api/share/content.test.ts` proves it from outside.
import { randomBytes } from 'node:crypto';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { storeTexts } from '../../../shared/storage/stored-text.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { bucketName, clientOf } from '../../support/s3/local-s3.ts';
import { useStoppableBucket } from '../../support/s3/stopped-s3.ts';
import { instead } from '../../support/service/interruption.ts';
import { runMinute } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
const { withoutS3 } = useStoppableBucket();

const hourMs = 60 * 60_000;
const large = () => ({ source: randomBytes(20_000).toString('base64') });

let owner = { pk: '', sk: 'TEXTS' };
let number = 0;
beforeEach(() => {
  owner = { pk: `THING#${++number}`, sk: 'TEXTS' };
});

const objects = async (): Promise<number> => {
  const Prefix = `texts/${owner.pk.replace('#', '/')}`;
  const { KeyCount } = await clientOf().send(
    new ListObjectsV2Command({ Bucket: bucketName(), Prefix }),
  );
  return KeyCount ?? 0;
};
const left = async () => [(await itemsOf('DELETIONS')).length, await objects()];
const afterAnHour = async () => {
  pass(hourMs + 1);
  await runMinute();
  return left();
};

describe('a large text', () => {
  it('is an object whose deletion its record cancels', async () => {
    const { ref, write } = await storeTexts(owner, large());
    expect([ref.place, await left()]).toEqual(['bucket', [1, 1]]);
    expect(write?.Delete?.Key?.['sk']).toBe((await itemsOf('DELETIONS'))[0]?.['sk']);
    expect(await afterAnHour()).toEqual([0, 0]);
  });

  it('leaves nothing after an hour if its upload fails', async () => {
    await expect(withoutS3(() => storeTexts(owner, large()))).rejects.toThrow();
    expect(await left()).toEqual([1, 0]);
    expect(await afterAnHour()).toEqual([0, 0]);
  });

  it('is not uploaded if its deletion can’t be scheduled', async () => {
    const failure = new Error('away');
    instead(documentClient(), PutCommand, () => Promise.reject(failure));
    await expect(storeTexts(owner, large())).rejects.toBe(failure);
    vi.restoreAllMocks();
    expect(await left()).toEqual([0, 0]);
  });

  it('is none up to the threshold, and needs no bucket', async () => {
    const { ref } = await withoutS3(() => storeTexts(owner, { source: 'small' }));
    expect([ref.place, await left()]).toEqual(['table', [0, 0]]);
  });
});
