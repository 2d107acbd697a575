import { afterEach, describe, expect, it, vi } from 'vitest';
import { recount } from '../../../functions/jobs/recount/recount.ts';
import { walkUsers } from '../../../functions/jobs/retention/user-walk.ts';
import { readWalk } from '../../../functions/jobs/retention/walk.ts';
import {
  emptyMailbox,
  listed,
  look,
  mailboxOf,
  newReader,
  newWriter,
  read,
  sent,
  sentNext,
} from '../../support/messages/messages.ts';
import {
  listed as listedNotifications,
  markRead,
  tell,
  told,
  unreadCount,
} from '../../support/notifications/notifications.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { runMinute, useJobs } from '../../support/service/jobs.ts';
import { useMeter } from '../../support/table/meter.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { signInAgain as again, useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();
const { measure } = useMeter();
afterEach(() => {
  vi.unstubAllEnvs();
});

const dayMs = 86_400_000;
const { ann, bob } = useNewPeople({ ann: newWriter, bob: () => newReader('Bob Reader') });

const soon = () => ({ deadline: Date.now() + 20_000 });
const nothingWrong = { differences: [], unstable: [], repaired: [] };

describe('MESSAGES_KEEP', () => {
  it('deletes old messages for everyone, with counts, words and the message itself', async () => {
    const content = `Old words ${'that are long enough for a text of its own '.repeat(60)}`;
    const old = await sent(ann, [bob], { content });
    const alone = await sentNext(ann, [bob]);
    await read(bob, alone);
    const self = await sentNext(ann, [ann]);
    pass(5 * dayMs);
    const [her, him] = [await again(ann), await again(bob)];
    const reply = await sent(her, [], { conversationId: old, recipients: undefined });
    vi.stubEnv('MESSAGES_KEEP', '5d');
    // A message is kept for whole days (UTC) after its own.
    await runMinute();
    expect((await listed(him)).total).toBe(3);
    pass(dayMs / 2);
    await runMinute();
    await Promise.all([again(ann), again(bob)]);
    expect(await mailboxOf(him)).toEqual({
      ...emptyMailbox,
      inbox: [reply],
      all: [reply],
      unread: [reply],
      unreadCount: 1,
      totals: [1, 0, 1, 1, 1],
      conversations: [{ id: old, last: reply, messageCount: 1, unreadCount: 1 }],
    });
    expect((await mailboxOf(her)).totals).toEqual([0, 1, 1, 0, 1]);
    expect((await look(him, old)).status).toBe(404);
    expect((await listed(him, { search: 'words' })).ids).toEqual([]);
    for (const id of [old, alone, self]) expect(await itemsOf(`MESSAGE#${id}`)).toEqual([]);
    expect(await recount({ apply: false })).toEqual(nothingWrong);
  });

  it('goes on where the time was up', async () => {
    const ids = [await sent(ann, [bob]), await sentNext(ann, [bob]), await sentNext(ann, [bob])];
    pass(3 * dayMs);
    vi.stubEnv('MESSAGES_KEEP', '1d');
    expect(await walkUsers({ deadline: Date.now() })).toMatchObject({ isAtEnd: false });
    expect(await readWalk('users')).toMatchObject({ isDone: false });
    expect(await walkUsers(soon())).toMatchObject({ isAtEnd: true });
    for (const id of ids) expect(await itemsOf(`MESSAGE#${id}`)).toEqual([]);
  });

  it('deletes nothing by a walk whose setting is gone', async () => {
    const id = await sent(ann, [bob]);
    pass(3 * dayMs);
    vi.stubEnv('MESSAGES_KEEP', '1d');
    await walkUsers({ deadline: Date.now() });
    vi.stubEnv('MESSAGES_KEEP', '30d');
    expect(await walkUsers(soon())).toMatchObject({ isAtEnd: true });
    vi.unstubAllEnvs();
    expect(await walkUsers(soon())).toMatchObject({ isAtEnd: true });
    expect(await itemsOf(`MESSAGE#${id}`)).toHaveLength(2);
  });

  it('walks once a day, and reads a mark otherwise', async () => {
    vi.stubEnv('MESSAGES_KEEP', '30d');
    expect(await walkUsers(soon())).toMatchObject({ isAtEnd: true });
    const idle = await measure(() => walkUsers(soon()));
    expect(idle).toMatchObject({ readUnits: 1, writeUnits: 0, requests: { table: 1 } });
  });
});

describe('NOTIFICATIONS_KEEP', () => {
  const idsOf = async (person: { readonly token: string }) =>
    (await listedNotifications(person)).items.map(({ id }) => id);

  it('keeps what is created under it for its days, and counts exactly that', async () => {
    vi.stubEnv('NOTIFICATIONS_KEEP', '10d');
    const [short] = await told(bob, 1);
    vi.stubEnv('NOTIFICATIONS_KEEP', '120d');
    const [long] = await told(bob, 1);
    pass(10 * dayMs);
    expect(await idsOf(await again(bob))).toEqual([long, short]);
    pass(dayMs);
    const him = await again(bob);
    expect(await idsOf(him)).toEqual([long]);
    expect(await unreadCount(him)).toBe(1);
    expect((await markRead(him, Number(short))).status).toBe(404);
    expect((await markRead(him, Number(long))).status).toBe(200);
    expect(await unreadCount(him)).toBe(0);
    pass(109 * dayMs);
    expect(await idsOf(await again(bob))).toEqual([long]);
    pass(dayMs);
    expect((await listedNotifications(await again(bob))).total).toBe(0);
    expect(await recount({ apply: false })).toEqual(nothingWrong);
  });

  it('hides at once what is older, and deletes it with its counts', async () => {
    await told(bob, 2);
    pass(20 * dayMs);
    const him = await again(bob);
    await tell(him);
    const [newest] = await idsOf(him);
    vi.stubEnv('NOTIFICATIONS_KEEP', '7d');
    expect(await idsOf(him)).toEqual([newest]);
    expect(await unreadCount(him)).toBe(1);
    await runMinute();
    vi.unstubAllEnvs();
    expect(await idsOf(him)).toEqual([newest]);
    expect(await unreadCount(him)).toBe(1);
    expect((await listedNotifications(him)).total).toBe(1);
    const stored = (await itemsOf(`USER#${bob.id}`)).map(({ sk }) => String(sk));
    expect(stored.filter((sk) => sk.startsWith('NOTIFICATION#'))).toHaveLength(1);
    expect(await recount({ apply: false })).toEqual(nothingWrong);
  });
});
