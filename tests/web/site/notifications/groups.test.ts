import { expect, describe as group, it } from 'vitest';
import { formatList } from '../../../../functions/web/browser/data/format.ts';
import type { Notification } from '../../../../functions/web/browser/notifications/notification.ts';
import {
  describe,
  groupByConversation,
} from '../../../../functions/web/browser/notifications/notification-groups.ts';

let newest = 1_000;

/** An unread notification of a message, older than those made before. */
const message = (name: string, conversationId: number | null, read = false): Notification => {
  newest -= 1;
  return {
    id: newest,
    type: 'message',
    title: 'New message',
    content: 'Proofs',
    read,
    readAt: null,
    link: '/api/messages/7',
    sender: { id: name.length, name, avatar: null },
    action: 'sent you a message',
    conversationId,
    createdAt: '2026-11-21T12:00:00.000Z',
  };
};

const told = (items: readonly Notification[]) => groupByConversation(items).map(describe);

group('the entries of notifications', () => {
  it('are one for the messages of a conversation, at the place of its newest', () => {
    expect(told([message('Ann', 7), message('Lena', 8), message('Jonas', 7)])).toEqual([
      'Ann and Jonas sent you 2 messages',
      'Lena sent you a message',
    ]);
  });

  it('are one each for what has no conversation', () => {
    const system = { ...message('Ann', null), title: 'Your share has ended', sender: null };
    const old = { ...message('Ann', null), action: null };
    expect(told([system, old, { ...system, id: 3 }])).toEqual([
      'Your share has ended',
      'New message',
      'Your share has ended',
    ]);
  });

  it('tell only of what is new, if something is', () => {
    const read = [message('Ann', 7, true), message('Ann', 7, true), message('Ann', 7, true)];
    expect(told(read)).toEqual(['Ann sent you 3 messages']);
    expect(told([message('Ann', 7), ...read])).toEqual(['Ann sent you a message']);
    expect(told([message('Ann', 7), message('Ann', 7), ...read])).toEqual([
      'Ann sent you 2 messages',
    ]);
  });

  it('name at most three people', () => {
    const names = ['A', 'Bo', 'Cid', 'Dora'];
    const all = names.map((name) => message(name, 7));
    const [three, more] = [
      ['A', 'Bo', 'Cid'],
      ['A', 'Bo', '2 others'],
    ].map(formatList);
    expect(told(all.slice(0, 3))).toEqual([`${three} sent you 3 messages`]);
    expect(told([...all, message('A', 7)])).toEqual([`${more} sent you 5 messages`]);
  });
});
