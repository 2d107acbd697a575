// What readers of shares have: entries in their lists, and notifications. A job keeps both.
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { reconcileReaders } from '../../../../functions/api/share/received/reconcile.ts';
import { documentClient } from '../../../../shared/db/dynamodb.ts';
import { maxReaders } from '../../../../shared/permissions/audiences.ts';
import { listed } from '../../../support/notifications/notifications.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { instead } from '../../../support/service/interruption.ts';
import { minuteLater, settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { receivedOf } from '../../../support/shares/received.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { clearTable } from '../../../support/table/clear-table.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { removeUser } from '../../../support/users/administration.ts';
import { newPerson, newUserOf, type Person, setUser } from '../../../support/users/test-users.ts';
import { tracesOf } from '../../../support/users/traces.ts';
import { signInAgain, useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const { ann, bob, eve } = useNewPeople({ ann: newPerson, bob: newPerson, eve: newPerson });
const [hers, his, eves] = [sharesOf(ann), receivedOf(bob), receivedOf(eve)];

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  // Members would see what the tests before have shared with all.
  await clearTable();
});

const dayMs = 86_400_000;

/** Returns the sort keys of what a user has of shares of others. */
const entriesOf = async ({ id }: Person): Promise<string[]> =>
  (await itemsOf(`USER#${id}`))
    .map(({ sk }) => sk)
    .filter((sk) => /^(READS|RECEIVED|HIDDEN)/.test(sk))
    .map((sk) => sk.split('#')[0] ?? '');

const told = async (person: Person) => (await listed(person)).items;

const newChange = (id: string, added: readonly Person[], removed: readonly Person[] = []) => ({
  id,
  added: added.map((one) => one.id),
  removed: removed.map((one) => one.id),
  at: new Date().toISOString(),
});

describe('the notification of readers', () => {
  it('says who shared what, and leads there', async () => {
    const id = await hers.newShare({ title: 'Release notes', readers: [bob.id, eve.id] });
    await settleJobs();
    for (const reader of [bob, eve]) {
      expect(await told(reader)).toMatchObject([
        {
          title: 'A snippet was shared with you',
          action: 'shared a snippet with you',
          content: '“Release notes”',
          link: `/s/${id}`,
          sender: { id: ann.id, name: 'Ann Example' },
        },
      ]);
    }
    expect(await told(ann)).toEqual([]);
  });

  it('goes to those who are added later, and not again to others', async () => {
    const id = await hers.newShare({ readers: [bob.id] });
    await hers.put(id, { readers: [bob.id, eve.id], title: 'Both' });
    await settleJobs();
    expect([(await told(bob)).length, (await told(eve)).length]).toEqual([1, 1]);
  });

  it('comes once a day, however often a reader is removed and added', async () => {
    const id = await hers.newShare({ readers: [bob.id, eve.id] });
    for (let times = 0; times < 2; times++) {
      await hers.put(id, { readers: [eve.id] });
      await settleJobs();
      await hers.put(id, { readers: [eve.id, bob.id] });
      await settleJobs();
    }
    expect(await told(bob)).toHaveLength(1);
    expect(await his.titles()).toHaveLength(1);
    pass(dayMs);
    await signInAgain(ann);
    await hers.put(id, { readers: [eve.id] });
    await hers.put(id, { readers: [eve.id, bob.id] });
    await settleJobs();
    await signInAgain(bob);
    expect(await told(bob)).toHaveLength(2);
  });

  it('says nothing of a protected content’s own title', async () => {
    const fields = { content: '# Own', language: 'markdown', readers: [bob.id] };
    await hers.newShare({ ...fields, password: 'Abc123' });
    await settleJobs();
    expect(await told(bob)).toMatchObject([{ content: 'Untitled snippet' }]);
  });

  it.each([
    ['all members', async () => void (await hers.newShare({ audience: 'members' }))],
    [
      'who was removed before the job',
      async () => {
        const id = await hers.newShare({ readers: [bob.id, eve.id] });
        await hers.put(id, { readers: [eve.id] });
      },
    ],
    [
      'readers of a share that has ended before the job',
      async () => void (await hers.end(await hers.newShare({ readers: [bob.id] }))),
    ],
    [
      'readers of a suspended owner',
      async () => {
        await hers.newShare({ readers: [bob.id] });
        await setUser(ann.id, { status: 'suspended' });
      },
    ],
  ])('isn’t for %s', async (_, make) => {
    vi.stubEnv('REGISTRATION', 'invite');
    await make();
    await settleJobs();
    expect(await told(bob)).toEqual([]);
  });
});

describe('the lists of readers', () => {
  it('have an entry for each of the most readers, written after the share', async () => {
    const readers: Person[] = [];
    for (let at = 0; at < maxReaders; at++) readers.push(await newUserOf('user'));
    const id = await hers.newShare({ readers: readers.map((one) => one.id) });
    await settleJobs();
    for (const reader of readers) {
      expect((await entriesOf(reader)).toSorted()).toEqual(['READS', 'RECEIVED']);
      expect(await told(reader)).toHaveLength(1);
    }
    await hers.put(id, { audience: 'link' });
    await settleJobs();
    for (const reader of readers) expect(await entriesOf(reader)).toEqual([]);
  });

  it('follow the record, whatever an older job was asked for, and however often', async () => {
    const id = await hers.newShare({ readers: [bob.id] });
    const first = newChange(id, [bob]);
    await settleJobs();
    await hers.put(id, { readers: [eve.id] });
    await settleJobs();
    for (const change of [first, first, newChange(id, [], [eve])]) await reconcileReaders(change);
    expect(await entriesOf(bob)).toEqual([]);
    expect((await entriesOf(eve)).toSorted()).toEqual(['READS', 'RECEIVED']);
    expect(await told(eve)).toHaveLength(1);
  });

  it('keep when a share was shared first, and what was removed stays so', async () => {
    const id = await hers.newShare({ readers: [bob.id] });
    await settleJobs();
    const [{ sharedAt }] = (await his.received()).body.items;
    await hers.put(id, { readers: [bob.id, eve.id] });
    await settleJobs();
    expect((await his.received()).body.items).toMatchObject([{ sharedAt }]);
    await his.unlist(id);
    await reconcileReaders(newChange(id, [bob]));
    expect(await entriesOf(bob)).toEqual(['READS']);
  });

  it.each([
    ['removed', () => [eve.id], 0],
    ['added', () => [bob.id, eve.id], 2],
  ])('follow who is %s while a job writes them', async (_, next, count) => {
    const isRemoved = count === 0;
    const id = await hers.newShare({ readers: isRemoved ? [bob.id, eve.id] : [eve.id] });
    const change = isRemoved ? newChange(id, [bob, eve]) : newChange(id, [eve], [bob]);
    instead(documentClient(), TransactWriteCommand, async (go) => {
      vi.restoreAllMocks();
      await hers.put(id, { readers: next() });
      return go();
    });
    await reconcileReaders(change);
    expect(await entriesOf(bob)).toHaveLength(count);
    expect(await entriesOf(eve)).toHaveLength(2);
    await settleJobs();
    expect(await entriesOf(bob)).toHaveLength(count);
  });

  it('forget a deleted share, also what was removed from them', async () => {
    vi.stubEnv('REGISTRATION', 'invite');
    const named = await hers.newShare({ readers: [bob.id, eve.id] });
    const forAll = await hers.newShare({ audience: 'members' });
    await settleJobs();
    for (const id of [named, forAll]) await his.unlist(id);
    expect((await entriesOf(bob)).toSorted()).toEqual(['HIDDEN', 'READS']);
    for (const id of [named, forAll]) await hers.remove(id);
    await settleJobs();
    expect([...(await entriesOf(bob)), ...(await entriesOf(eve))]).toEqual([]);
    expect(await itemsOf('SHARES#MEMBERS')).toEqual([]);
  });

  it('leave out an ended share once its content is deleted, and forget it with the last of it', async () => {
    vi.stubEnv('REGISTRATION', 'invite');
    const named = await hers.newShare({ readers: [bob.id], expiresIn: 60 });
    const forAll = await hers.newShare({ audience: 'members', expiresIn: 60 });
    await settleJobs();
    await his.unlist(forAll);
    pass(180_000);
    await settleJobs();
    expect(await entriesOf(bob)).toEqual(['READS']);
    expect(await itemsOf('SHARES#MEMBERS')).toEqual([]);
    pass(91 * dayMs);
    await settleJobs();
    expect(await entriesOf(bob)).toEqual([]);
    expect([...(await itemsOf(`SHARE#${named}`)), ...(await itemsOf(`SHARE#${forAll}`))]).toEqual(
      [],
    );
  });
});

describe('DELETE /api/users/{id}', () => {
  const { admin } = useNewPeople({ admin: 'super_admin' });
  const audienceOf = async (id: string) => {
    const { audience, readers, version } = (await hers.look(id)).body;
    return { audience, readers, version };
  };

  it('takes a reader out of all shares, whose last reader leaves them to their owner', async () => {
    const shared = await hers.newShare({ readers: [bob.id, eve.id] });
    const alone = await hers.newShare({ readers: [bob.id] });
    const unlisted = await hers.newShare({ readers: [bob.id] });
    await settleJobs();
    await his.unlist(unlisted);
    await removeUser(admin, bob.id);
    expect(await audienceOf(shared)).toEqual({ audience: 'people', readers: [eve.id], version: 2 });
    for (const id of [alone, unlisted]) {
      expect(await audienceOf(id)).toEqual({ audience: 'private', readers: [], version: 2 });
    }
    await minuteLater();
    expect(await tracesOf(bob.id)).toEqual([]);
    expect(await eves.titles()).toHaveLength(1);
  });

  it('takes out a reader whom the job finds removed', async () => {
    const id = await hers.newShare({ readers: [bob.id, eve.id] });
    await removeUser(admin, bob.id);
    await settleJobs();
    expect(await audienceOf(id)).toMatchObject({ readers: [eve.id] });
    await minuteLater();
    expect(await tracesOf(bob.id)).toEqual([]);
  });

  it('deletes a removed owner’s shares from the lists of their readers', async () => {
    vi.stubEnv('REGISTRATION', 'invite');
    await hers.newShare({ readers: [bob.id] });
    const forAll = await hers.newShare({ audience: 'members' });
    await settleJobs();
    await his.unlist(forAll);
    await removeUser(admin, ann.id);
    expect(await his.titles()).toEqual([]);
    await settleJobs();
    expect(await entriesOf(bob)).toEqual([]);
    expect(await itemsOf('SHARES#MEMBERS')).toEqual([]);
  });

  it('hands shares over with their readers, of whom the receiver is none', async () => {
    vi.stubEnv('REGISTRATION', 'invite');
    const named = await hers.newShare({ title: 'Named', readers: [bob.id, eve.id] });
    pass(1_000);
    await hers.newShare({ title: 'For all', audience: 'members' });
    await settleJobs();
    await removeUser(admin, ann.id, bob.id);
    await settleJobs();
    expect(await his.titles()).toEqual([]);
    expect((await sharesOf(bob).look(named)).body).toMatchObject({ readers: [eve.id] });
    expect((await eves.received()).body.items).toMatchObject([
      { title: 'For all', from: { id: bob.id } },
      { title: 'Named', from: { id: bob.id } },
    ]);
    expect((await his.received()).body.new).toBe(0);
  });
});
