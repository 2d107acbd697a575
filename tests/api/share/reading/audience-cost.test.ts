// What it costs to decide who can open a share.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { shareKeys } from '../../../../functions/api/share/record/keys.ts';
import { documentClient, tableName } from '../../../../shared/db/dynamodb.ts';
import { maxReaders } from '../../../../shared/permissions/audiences.ts';
import { call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { words } from '../../../support/shares/contents.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useMeter } from '../../../support/table/meter.ts';
import { useTable } from '../../../support/table/table.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();
useJobs();

const { ann, bob } = usePeople({ ann: 'user', bob: 'user' });
const meter = useMeter();
const hers = sharesOf(ann);

/** Names as many readers as a share can have, most of whom are removed by now. */
const nameAll = (id: string, reader: number) =>
  documentClient().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: shareKeys.record.at({ id }),
      UpdateExpression: 'SET readers = :readers',
      ExpressionAttributeValues: {
        ':readers': Array.from({ length: maxReaders }, (_, at) => reader + maxReaders - 1 - at),
      },
    }),
  );

const ways = {
  'by the API': (id: string) => call('GET /api/share', { token: bob.token, query: { id } }),
  'on its page': (id: string) => call('GET /s/{id}', { token: bob.token, params: { id } }),
};

describe.each(Object.entries(ways))('a view of a share for 50 people %s', (_, go) => {
  it.each([1_000, 3_000])(
    'is one unit more than of one for all, the receipt, with %i bytes',
    async (size) => {
      const content = words(size);
      const [open, closed] = [
        await hers.newShare({ content }),
        await hers.newShare({ content, readers: [bob.id] }),
      ];
      await nameAll(closed, bob.id);
      // The first view of a process reads the content and the owner apart.
      for (const id of [open, closed]) expect((await go(id)).status).toBe(200);
      const [all, some] = [
        await meter.measure(() => go(open)),
        await meter.measure(() => go(closed)),
      ];
      expect([some.result.status, some.writes, some.trips]).toEqual([
        200,
        { ...all.writes, OPENED: 1 },
        all.trips,
      ]);
      const added = some.readUnits + some.writeUnits - all.readUnits - all.writeUnits;
      expect(added).toBe(1);
    },
  );
});
