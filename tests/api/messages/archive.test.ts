import { describe, expect, it } from 'vitest';
import { section } from '../../../functions/api/messages/archive.ts';
import { readSection } from '../../support/exports/archive.ts';
import { newWriter, sent, sentNext, sentQueued } from '../../support/messages/messages.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';

useTable();
useBucket();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');

describe('the messages of an archive', () => {
  it('are all that a user has received and sent, with their whole content', async () => {
    const [ann, bob, eve] = [await newWriter(), await newWriter('Bob'), await newWriter('Eve')];
    const long = 'A long message. '.repeat(500);
    const first = await sent(ann, [bob], { subject: 'Lunch', content: long });
    const reply = await sentNext(bob, [ann], { replyTo: first, content: 'Yes' });
    const own = await sentNext(ann, [ann], { content: 'Note' });
    await sentNext(bob, [eve], { content: 'Not for Ann' });
    const params = { id: String(reply) };
    await call('PUT /api/messages/{id}/read', { token: ann.token, params, body: {} });
    const { rows, paths } = await readSection(section, ann);
    expect(paths).toEqual(['messages.ndjson']);
    const read = rows('messages.ndjson');
    expect(read.map(({ id, content }) => [id, content])).toEqual([
      [first, long],
      [reply, 'Yes'],
      [own, 'Note'],
    ]);
    expect(read[0]).toEqual({
      ...{ id: first, conversationId: first, subject: 'Lunch', content: long, type: 'text' },
      sender: { id: ann.id, name: 'Ann Writer', avatar: null },
      to: [{ id: bob.id, name: 'Bob', avatar: null }],
      ...{ replyTo: null, attachments: [], read: true, boxes: ['sent'] },
      ...{ createdAt: '2026-11-21T12:00:00.000Z', readAt: '2026-11-21T12:00:00.000Z' },
    });
    expect(read[2].boxes.toSorted()).toEqual(['inbox', 'sent']);
  });

  it('include those that wait to be delivered, once', async () => {
    const [ann, bob] = [await newWriter(), await newWriter('Bob')];
    const id = await sentQueued(bob, [ann], { content: 'Waiting' });
    const read = (await readSection(section, ann)).rows('messages.ndjson');
    expect(read).toMatchObject([{ id, content: 'Waiting', boxes: ['inbox'], read: false }]);
    await call('GET /api/messages', { token: ann.token });
    expect((await readSection(section, ann)).rows('messages.ndjson')).toEqual(read);
  });

  it('are read a page at a time, oldest first in each conversation', async () => {
    const [ann, bob] = [await newWriter(), await newWriter('Bob')];
    const first = await sent(ann, [bob], { content: '0' });
    for (let at = 1; at < 60; at++) {
      await sentNext(ann, [bob], { replyTo: first, content: String(at) });
    }
    const read = (await readSection(section, bob)).rows('messages.ndjson');
    expect(read.map(({ content }) => content)).toEqual(
      Array.from({ length: 60 }, (_, at) => String(at)),
    );
  });
});
