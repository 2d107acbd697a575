import { describe, expect, it } from 'vitest';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { recordTypes } from '../../support/sharing/record-types.ts';
import { useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useBucket();

const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };

describe.each(Object.values(recordTypes))('$group', (recordType) => {
  const { group, singular, nameField, newRecord, look, change, remove, share, unshare } =
    recordType;
  const { ann, bob, rea, manager } = usePeople({
    ann: () => recordType.newOwner(),
    bob: () => recordType.newOwner('Bob Owner'),
    rea: () => recordType.newReader(),
    manager: () => recordType.newManager(),
  });

  describe(`GET /api/${group}/{id}`, () => {
    it.each(['0', '-1', '1.5', 'x', '9007199254740993', '12345'])(
      'returns 404 for id %s',
      async (id) => {
        const endpoint = `GET /api/${group}/{id}`;
        expect(await call(endpoint, { token: ann.token, params: { id } })).toMatchObject(missing);
      },
    );
  });

  describe('access', () => {
    it('returns 404 for changes by others, also by readers', async () => {
      const [secret, shared, open] = [
        await newRecord(ann),
        await newRecord(ann),
        await newRecord(ann),
      ];
      await share(ann, shared, [bob.id]);
      await change(ann, open, { visibility: 'everyone' });
      for (const id of [secret, shared, open, 12345]) {
        const responses = [
          await change(bob, id, { [nameField]: 'Mine' }),
          await remove(bob, id),
          await share(bob, id, [bob.id]),
          await unshare(bob, id, [ann.id]),
        ];
        for (const response of responses) {
          expect(response).toMatchObject(missing);
          const name = singular.replace(/^./, (first) => first.toUpperCase());
          expect(response.body.error.message).toBe(`${name} not found.`);
        }
      }
      for (const id of [shared, open]) expect((await look(bob, id)).status).toBe(200);
      expect(await look(bob, secret)).toMatchObject(missing);
      expect((await look(ann, secret)).body.data.version).toBe(1);
    });

    it('lets managers view, change, share and delete all records', async () => {
      const id = await newRecord(ann, 'Of Ann');
      expect((await look(manager, id)).status).toBe(200);
      const changed = await change(manager, id, { [nameField]: 'Managed' });
      expect([changed.status, changed.body.data[nameField]]).toEqual([200, 'Managed']);
      expect((await share(manager, id, [rea.id])).body.data.sharedWith).toEqual([rea.id]);
      expect((await look(ann, id)).body.data).toMatchObject({ [nameField]: 'Managed', version: 3 });
      expect((await remove(manager, id)).status).toBe(200);
      expect(await look(ann, id)).toMatchObject(missing);
    });
  });
});
