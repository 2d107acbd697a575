import { BatchGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { documentKeys } from '../../../functions/api/documents/keys.ts';
import { reconcileUser } from '../../../functions/api/users/reconcile.ts';
import { removeUser } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import * as documents from '../../support/documents/documents.ts';
import * as files from '../../support/files/files.ts';
import { violationsOf } from '../../support/invariants/invariants.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { deadJobs, minuteLater, queuedWork, useJobs } from '../../support/service/jobs.ts';
import { readState } from '../../support/service/state.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { deleteUser } from '../../support/users/administration.ts';
import { login, newUserOf, type Person, writing } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
useBucket();

const writer = writing('documents', 'files', 'calendar');

const { root } = usePeople({ root: 'super_admin' });
afterEach(async () => {
  vi.restoreAllMocks();
  await minuteLater();
  await minuteLater();
  vi.useRealTimers();
  expect([await queuedWork(), await deadJobs(), await itemsOf('OUTBOX')]).toEqual([[], [], []]);
  expect(violationsOf(await readState())).toEqual([]);
});

const newWriter = (name: string) => newUserOf('user', { name, extraPermissions: writer });

/** Deletes a user like an interrupted request that leaves the rest to the job. */
const breakOff = ({ id }: Person, to?: Person) =>
  removeUser(id, () => undefined, to?.id, systemRecorder('user.delete'));

/** Creates one record of each kind, with a file in a nested folder. */
const makeAll = async (owner: Person) => {
  const { token } = owner;
  await files.madeFolder(owner, 'Photos');
  await files.madeFolder(owner, '2026', 'Photos');
  const document = await documents.made(owner, { title: 'A document', content: 'text' });
  const file = await files.made(owner, { name: 'a.txt', folder: 'Photos/2026' }, 'bytes');
  const event = { title: 'An event', start: '2026-12-01T09:00:00Z', end: '2026-12-01T10:00:00Z' };
  const made = await call('POST /api/calendar/events', { token, body: event });
  const share = await call('POST /api/share', { token, body: { content: '<p>Hi</p>' } });
  return { document, file, event: made.body.data.id as number, share: share.body.id as string };
};

type Made = Awaited<ReturnType<typeof makeAll>>;

/** Returns the records a user has, each with how a reader finds it. */
const seenBy = async (owner: Person, { document, file, event, share }: Made) => {
  const { token } = owner;
  const params = { id: String(event) };
  return {
    document: (await documents.look(owner, document)).body.data?.author_id,
    file: (await files.look(owner, file)).body.data?.path,
    event: (await call('GET /api/calendar/events/{id}', { token, params })).body.data?.owner_id,
    share: (await call('GET /api/share', { token, query: { id: share, mine: 'true' } })).status,
  };
};
const allOf = ({ id }: Person) => ({
  document: id,
  file: '/Photos/2026/a.txt',
  event: id,
  share: 200,
});

describe('a transfer to a receiver who is deleted before it completes', () => {
  it('continues to the receiver of that user’s data, including folders', async () => {
    const [ann, bob, cid] = [
      await newWriter('Ann'),
      await newWriter('Bob'),
      await newWriter('Cid'),
    ];
    const made = await makeAll(ann);
    await breakOff(ann, bob);
    await breakOff(bob, cid);
    await minuteLater();
    await minuteLater();
    expect(await seenBy(cid, made)).toEqual(allOf(cid));
  });

  it('includes folders that were already transferred', async () => {
    const [ann, bob, cid] = [
      await newWriter('Ann'),
      await newWriter('Bob'),
      await newWriter('Cid'),
    ];
    const made = await makeAll(ann);
    await breakOff(ann, bob);
    // Only the folders are transferred when the job of the first transfer is interrupted.
    const work = reconcileUser({ userId: ann.id, transferTo: bob.id });
    const client = documentClient();
    const real = client.send.bind(client);
    let transactions = 0;
    vi.spyOn(client, 'send').mockImplementation((async (command: unknown) => {
      if (command instanceof TransactWriteCommand && ++transactions > 1) throw new Error('Killed');
      return real(command as never);
    }) as never);
    await expect(work).rejects.toThrow('Killed');
    vi.restoreAllMocks();
    const trees = async ({ id }: Person) =>
      (await itemsOf(`USER#${id}`)).filter(({ sk }) => sk === 'FILES#FOLDERS').length;
    expect([await trees(ann), await trees(bob)]).toEqual([0, 1]);
    await breakOff(bob, cid);
    // The first transfer completes before the second.
    await reconcileUser({ userId: ann.id, transferTo: bob.id });
    expect(await seenBy(cid, made)).toEqual(allOf(cid));
  });

  it('continues to the next receiver if one is deleted while the job runs', async () => {
    const [ann, bob, cid] = [
      await newWriter('Ann'),
      await newWriter('Bob'),
      await newWriter('Cid'),
    ];
    const made = await makeAll(ann);
    await breakOff(ann, bob);
    const client = documentClient();
    const real = client.send.bind(client);
    let isRemoved = false;
    vi.spyOn(client, 'send').mockImplementation((async (command: unknown) => {
      const isRecord =
        command instanceof BatchGetCommand &&
        JSON.stringify(command.input).includes(
          documentKeys.record.partition({ id: made.document }).pk,
        );
      if (isRecord && !isRemoved) {
        isRemoved = true;
        await breakOff(bob, cid);
      }
      return real(command as never);
    }) as never);
    await reconcileUser({ userId: ann.id, transferTo: bob.id, removedAt: Date.now() });
    vi.restoreAllMocks();
    expect(isRemoved).toBe(true);
    await minuteLater();
    await minuteLater();
    expect(await seenBy(cid, made)).toEqual(allOf(cid));
  });

  it('deletes the rest if the receiver was deleted without a transfer', async () => {
    const [ann, bob] = [await newWriter('Ann'), await newWriter('Bob')];
    const made = await makeAll(ann);
    await breakOff(ann, bob);
    await breakOff(bob);
    await minuteLater();
    await minuteLater();
    expect(await itemsOf(`DOCUMENT#${made.document}`)).toEqual([]);
    expect(await itemsOf(`FILE#${made.file}`)).toEqual([]);
    expect(await itemsOf(`EVENT#${made.event}`)).toEqual([]);
    expect(await itemsOf(`SHARE#${made.share}`)).toEqual([]);
  });

  it('transfers to a receiver who was suspended since', async () => {
    const [ann, bob] = [await newWriter('Ann'), await newWriter('Bob')];
    const made = await makeAll(ann);
    await breakOff(ann, bob);
    const params = { id: String(bob.id) };
    const setStatus = (status: string) =>
      call('PUT /api/users/{id}', { token: root.token, params, body: { status } });
    await setStatus('suspended');
    await minuteLater();
    const query = { id: made.share };
    expect((await call('GET /api/share', { query })).status).toBe(410);
    await setStatus('active');
    expect((await call('GET /api/share', { query })).status).toBe(200);
    const { body } = await login(bob.email);
    expect(await seenBy({ ...bob, token: body.token }, made)).toEqual(allOf(bob));
  });
});

describe('an interrupted transfer', () => {
  /** Interrupts the service at its nth transaction: this write may be stored, later ones are not. */
  const dieAt = (nth: number, isWritten: boolean) => {
    const client = documentClient();
    const real = client.send.bind(client);
    let count = 0;
    vi.spyOn(client, 'send').mockImplementation((async (command: unknown) => {
      if (count >= nth) throw new Error('Killed');
      if (command instanceof TransactWriteCommand && ++count === nth) {
        if (isWritten) await real(command as never);
        throw new Error('Killed');
      }
      return real(command as never);
    }) as never);
    return () => count >= nth;
  };

  it.each([true, false])(
    'is completed by the next job after any write (written: %s)',
    async (isWritten) => {
      let at = 1;
      for (let hasDied = true; hasDied && at < 40; at++) {
        const [ann, bob] = [await newWriter('Ann'), await newWriter('Bob')];
        const made = await makeAll(ann);
        await breakOff(ann, bob);
        const died = dieAt(at, isWritten);
        await reconcileUser({ userId: ann.id, transferTo: bob.id }).catch(() => undefined);
        hasDied = died();
        vi.restoreAllMocks();
        await reconcileUser({ userId: ann.id, transferTo: bob.id });
        expect(await seenBy(bob, made)).toEqual(allOf(bob));
      }
      // Counts the folders and their records, the file, the document, the event and the share.
      expect(at).toBeGreaterThan(6);
    },
  );

  it.each([true, false])(
    'returns once after any interruption of the request (removed: %s)',
    async (isWritten) => {
      const [ann, bob] = [await newWriter('Ann'), await newWriter('Bob')];
      const made = await makeAll(ann);
      dieAt(1, isWritten);
      expect((await deleteUser(root, ann.id, bob.id)).status).toBe(500);
      vi.restoreAllMocks();
      // Either nothing is deleted or the user is.
      const repeated = await deleteUser(root, ann.id, bob.id);
      expect(repeated.status).toBe(isWritten ? 404 : 200);
      await minuteLater();
      expect(await seenBy(bob, made)).toEqual(allOf(bob));
    },
  );
});
