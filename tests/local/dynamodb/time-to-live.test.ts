import { DescribeTimeToLiveCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  fulfilled,
  places,
  TableName,
  times,
  useStore,
} from '../../support/table/local-dynamodb.ts';

describe.each(places)('%s', (place) => {
  const store = useStore(place);

  describe('time to live', () => {
    const now = Date.UTC(2030, 0, 1);
    const seconds = now / 1000;
    const setTtl = (Enabled: boolean, AttributeName = 'ttl') =>
      store.client.send(
        new UpdateTimeToLiveCommand({
          TableName,
          TimeToLiveSpecification: { Enabled, AttributeName },
        }),
      );
    const described = async () =>
      (await store.client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription;
    const remaining = async () =>
      ((await store.items.scan()).Items ?? []).map(({ pk }) => pk).sort();

    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'], now });
    });

    it('is described, enabled and disabled', async () => {
      expect(await described()).toEqual({ TimeToLiveStatus: 'DISABLED' });
      await setTtl(true);
      expect(await described()).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
      await expect(setTtl(true)).rejects.toThrow('TimeToLive is already enabled');
      await expect(setTtl(false, 'other')).rejects.toThrow('different AttributeName');
      await setTtl(false);
      await expect(setTtl(false)).rejects.toThrow('TimeToLive is already disabled');
      expect(await described()).toEqual({ TimeToLiveStatus: 'DISABLED' });
    });

    it('deletes only expired store.items, also from the index', async () => {
      await setTtl(true);
      const fiveYears = 5 * 365 * 24 * 60 * 60;
      await store.items.put({ pk: 'expired', ttl: seconds - 1, gsi1pk: 'group', gsi1sk: '1' });
      await store.items.put({ pk: 'now', ttl: seconds });
      await store.items.put({ pk: 'later', ttl: seconds + 1 });
      await store.items.put({ pk: 'text', ttl: String(seconds - 1) });
      await store.items.put({ pk: 'nested', inner: { ttl: seconds - 1 } });
      await store.items.put({ pk: 'ancient', ttl: seconds - fiveYears });
      await store.items.put({ pk: 'without' });
      await store.engine.sweep();
      expect(await remaining()).toEqual(['ancient', 'later', 'nested', 'now', 'text', 'without']);
      const index = await store.items.scan({ IndexName: 'gsi1' });
      expect(index.Items).toEqual([]);

      vi.setSystemTime(now + 2000);
      await store.engine.sweep();
      expect(await remaining()).toEqual(['ancient', 'nested', 'text', 'without']);
    });

    it('keeps an item that is renewed during the sweep', async () => {
      await setTtl(true);
      await times(100, (index) => store.items.put({ pk: `item${index}`, ttl: seconds - 1 }));
      const renewals = times(100, (index) =>
        store.items.update({
          Key: { pk: `item${index}`, sk: '1' },
          UpdateExpression: 'SET #ttl = :later',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':later': seconds + 100 },
        }),
      );
      await store.engine.sweep();
      const renewed = fulfilled(await renewals);
      expect(await remaining()).toHaveLength(renewed);
    });

    it('does nothing on a table where it is disabled', async () => {
      await setTtl(true);
      await setTtl(false);
      await store.items.put({ pk: 'expired', ttl: seconds - 1 });
      await store.engine.sweep();
      expect(await remaining()).toEqual(['expired']);
    });
  });
});
