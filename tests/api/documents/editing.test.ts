import { expect, it } from 'vitest';
import {
  change,
  look,
  made,
  newAuthor,
  newReader,
  share,
  shareAs,
} from '../../support/documents/documents.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import type { Caller } from '../../support/sharing/requests.ts';
import { useTable } from '../../support/table/table.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();

it('says for two minutes who else has changed title or content, last first, to all who see the document', async () => {
  const [ann, bob, eve] = [await newAuthor(), await newReader('Bob'), await newReader('Eve')];
  const id = await made(ann, { content: 'First' });
  await shareAs(ann, id, [bob.id], 'editor');
  await share(ann, id, [eve.id]);
  const seenBy = async (who: Caller) => {
    const { body } = await look(who, id);
    return body.data.editing.map(({ name }: { readonly name: string }) => name);
  };
  const readers = async () => {
    const params = { id: String(id) };
    const { body } = await call('GET /api/documents/{id}/readers', { token: ann.token, params });
    return body.data.map((one: { readonly isEditing: boolean }) => one.isEditing);
  };
  expect(await seenBy(eve)).toEqual([]);

  await change(bob, id, { content: 'Second' });
  pass(60_000);
  const changed = await change(ann, id, { title: 'Ours' });
  expect(changed.body.data.editing).toEqual([{ id: bob.id, name: 'Bob', avatar: null }]);
  const annsName = changed.body.data.author.name;
  expect(await seenBy(eve)).toEqual([annsName, 'Bob']);
  expect(await seenBy(bob)).toEqual([annsName]);
  expect(await readers()).toEqual([true, false]);

  // Folders and tags are no editing. The whole document is taken back although Bob’s time is over.
  const { body } = await look(ann, id);
  pass(60_000);
  const sent = await change(ann, id, { ...body.data, tags: ['x'] });
  expect([sent.status, sent.body.data.editing]).toEqual([200, []]);
  expect(await seenBy(eve)).toEqual([annsName]);
  expect(await readers()).toEqual([false, false]);
  pass(60_000);
  expect(await seenBy(eve)).toEqual([]);
});
