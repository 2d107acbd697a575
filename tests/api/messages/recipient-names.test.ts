import { expect, it } from 'vitest';
import { newReader, newWriter } from '../../support/messages/messages.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';

useTable();
useJobs();

it('returns the current names of the recipients of a message', async () => {
  const [ann, bob] = [await newWriter(), await newReader()];
  const token = ann.token;
  const body = { content: 'Hello', recipients: [bob.id] };
  const { id } = (await call('POST /api/messages', { token, body })).body.data;
  const avatar = 'https://example.com/bob.png';
  await call('PUT /api/users/me', { token: bob.token, body: { name: 'Robert', avatar } });
  const to = [{ id: bob.id, name: 'Robert', avatar }];
  const one = await call('GET /api/messages/{id}', { token, params: { id: String(id) } });
  const sent = await call('GET /api/messages', { token, query: { box: 'sent' } });
  const conversations = await call('GET /api/messages/conversations', { token });
  expect(one.body.data.to).toEqual(to);
  expect(sent.body.data.items[0].to).toEqual(to);
  expect(conversations.body.data.items[0].lastMessage.to).toEqual(to);
  const again = await call('POST /api/messages', { token, body });
  expect(again.body.data.to).toEqual(to);
});
