// What a search of messages finds, and for whom.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { made } from '../../support/files/files.ts';
import {
  list,
  newWriter,
  read,
  remove,
  send,
  sent,
  sentNext,
  sentQueued,
} from '../../support/messages/messages.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { readIds } from '../../support/service/pages.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();
useJobs();

const newPerson = (name: string) =>
  newUserOf('user', {
    name,
    extraPermissions: ['messages:create', 'messages:delete', 'files:create'],
  });

/** Returns the ids of the messages that a search finds. */
const found = async (client: Person, search: string, query = {}): Promise<number[]> => {
  const { status, body } = await list(client, { search, box: 'all', pageSize: '100', ...query });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.items.map(({ id }: { id: number }) => id);
};

describe('GET /api/messages with a search', () => {
  let ann: Person;
  let bob: Person;
  let cid: Person;
  let covers: number;
  let figures: number;
  let secret: number;
  beforeAll(async () => {
    [ann, bob, cid] = [
      await newPerson('Ann Writer'),
      await newPerson('Bob Bäcker'),
      await newPerson('Cid Quill'),
    ];
    const file = await made(bob, { name: 'print-figures.csv' });
    covers = await sentNext(ann, [bob, cid], {
      subject: 'Covers',
      content: 'I prefer the one with the Mühle. 会議は明日です',
    });
    const reply = { conversationId: covers, attachments: [file] };
    figures = await sentNext(bob, [ann, cid], { ...reply, content: 'Both runs are attached.' });
    secret = await sentNext(bob, [ann], { conversationId: covers, content: 'Only a budget' });
    await sentNext(cid, [bob], { content: 'Nothing of it' });
  });

  it('finds beginnings of words of the content and of names of files', async () => {
    expect(await found(ann, 'prefer')).toEqual([covers]);
    expect(await found(ann, 'MUHL pref')).toEqual([covers]);
    expect(await found(ann, '明日')).toEqual([covers]);
    expect(await found(ann, 'figur')).toEqual([figures]);
    expect(await found(ann, 'csv attached')).toEqual([figures]);
    expect(await found(ann, 'efer')).toEqual([]);
    expect(await found(ann, '!')).toEqual([]);
  });

  it('takes subject and people along, and finds the last message of a conversation by them alone', async () => {
    expect(await found(ann, 'covers prefer')).toEqual([covers]);
    expect(await found(ann, 'backer attached')).toEqual([figures]);
    expect(await found(ann, 'covers')).toEqual([secret]);
    // Cid has no copy of the last one, and is still of the conversation.
    expect(await found(ann, 'quill')).toEqual([secret]);
    expect(await found(cid, 'covers')).toEqual([figures]);
  });

  it('finds only messages that the caller has a copy of', async () => {
    expect(await found(ann, 'budget')).toEqual([secret]);
    expect(await found(bob, 'budget')).toEqual([secret]);
    expect(await found(cid, 'budget')).toEqual([]);
    expect(await found(ann, 'nothing')).toEqual([]);
  });

  it('searches the mailbox that is named', async () => {
    expect(await found(ann, 'prefer', { box: 'sent' })).toEqual([covers]);
    expect(await found(ann, 'prefer', { box: 'inbox' })).toEqual([]);
    expect(await found(bob, 'prefer', { box: 'inbox' })).toEqual([covers]);
    expect(await found(ann, 'covers', { box: 'sent' })).toEqual([]);
    const { body } = await list(ann, { search: 'prefer', unread: 'true' });
    expect(body.error.details).toEqual([
      { field: 'unread', message: 'cannot be combined with search' },
    ]);
  });

  it('says whether what it finds is read', async () => {
    const isRead = async (search: string) =>
      (await list(ann, { search })).body.data.items.map((one: { read: boolean }) => one.read);
    expect(await isRead('budget')).toEqual([false]);
    expect(await isRead('covers')).toEqual([false]);
    await read(ann, secret);
    expect(await isRead('budget')).toEqual([true]);
    expect(await isRead('covers')).toEqual([true]);
    await read(ann, secret, { read: false });
    expect(await isRead('budget')).toEqual([false]);
  });
});

describe('the words of a message', () => {
  it('leave the search with the copy, and stay in those of others', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const id = await sent(ann, [bob], { content: 'Gone tomorrow' });
    await remove(bob, id);
    expect(await found(bob, 'gone')).toEqual([]);
    expect((await itemsOf(`USER#${bob.id}`)).filter((item) => 'words' in item)).toEqual([]);
    expect(await found(ann, 'gone')).toEqual([id]);
  });

  it('are there for a message that was queued, and for one to oneself', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const queued = await sentQueued(ann, [bob], { content: 'Queued for you' });
    expect(await found(bob, 'queued')).toEqual([queued]);
    const own = await sent(ann, [ann], { content: 'A note' });
    expect(await found(ann, 'note')).toEqual([own]);
    await read(ann, own);
    expect(await found(ann, 'note')).toEqual([own]);
  });

  it('are about the first 250 of long content, within 2 KB an entry', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const content = Array.from({ length: 2_000 }, (_, at) => `word${at}`).join(' ');
    const ids = [await sentNext(ann, [bob], { content })];
    pass(1);
    ids.push(await sentQueued(ann, [bob], { content }));
    expect(await found(bob, 'word200')).toEqual(ids.toReversed());
    expect(await found(bob, 'word1999')).toEqual([]);
    const entries = (await itemsOf(`USER#${bob.id}`)).filter((item) => 'words' in item);
    expect(entries).toHaveLength(2);
    for (const entry of entries) expect(JSON.stringify(entry).length).toBeLessThan(2_048);
  });

  it('go on by the cursor, which is bound to the words', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const ids: number[] = [];
    for (let at = 0; at < 7; at++) {
      ids.unshift(await sentNext(at % 2 ? ann : bob, [at % 2 ? bob : ann], { content: 'A fair' }));
      await sentNext(bob, [ann], { content: 'Else' });
      if (at % 3 === 0) await read(ann, ids[0] ?? 0);
    }
    const page = (at: object) => list(ann, { search: 'fair', box: 'all', pageSize: '2', ...at });
    expect(await readIds(page)).toEqual(ids);
    const { nextCursor } = (await page({})).body.data;
    expect((await list(ann, { search: 'else', box: 'all', cursor: nextCursor })).status).toBe(400);
    const oldest = await found(ann, 'fair', { sort: '-createdAt' });
    expect(oldest).toEqual(ids.toReversed());
  });
});

describe('messages stored before their words were', () => {
  it('are found by subject and people as before, and by their words once they are marked', async () => {
    const [ann, bob] = [await newWriter('Ann'), await newWriter('Bob')];
    const { data } = (await send(ann, { to: bob.id, subject: 'Old', content: 'Ink' })).body;
    for (const { words: _, people: __, ...item } of await itemsOf(`USER#${bob.id}`)) {
      await documentClient().send(new PutCommand({ TableName: tableName(), Item: item }));
    }
    expect(await found(bob, 'old ann')).toEqual([data.id]);
    expect(await found(bob, 'ink')).toEqual([]);
    await read(bob, data.id);
    expect(await found(bob, 'ink')).toEqual([data.id]);
  });
});
