import { made } from '../files/files.ts';
import { pass } from '../run/virtual-time.ts';
import { type CallOptions, call } from '../service/call.ts';
import { moreThanAPage, newUser, params, type TypicalCalls } from './sample-request.ts';

const permissions = ['messages:create', 'messages:delete', 'files:create'];

/** Creates two users, with functions that receive messages and send requests of the recipient. */
const newPair = async () => {
  const [ann, bob] = [await newUser('user', permissions), await newUser('user', permissions)];
  const receive = async (more: object = {}) => {
    const body = { to: ann.id, subject: 'Lunch', content: 'At noon?', ...more };
    const response = await call('POST /api/messages', { token: bob.token, body });
    // Delivers pending messages first, so that the measured request does not.
    await call('GET /api/messages/unread-count', { token: ann.token });
    return response.body.data.id as number;
  };
  const ask = (endpoint: string, options: CallOptions = {}) =>
    call(endpoint, { token: ann.token, ...options });
  return { ann, bob, receive, ask };
};

const ofPage = (endpoint: string) => async () => {
  const { receive, ask } = await newPair();
  await moreThanAPage(receive);
  return () => ask(endpoint);
};

const ofOne = (endpoint: string) => async () => {
  const { receive, ask } = await newPair();
  const options = params(await receive());
  return () => ask(endpoint, options);
};

export const messageCalls: TypicalCalls = {
  'GET /api/messages': ofPage('GET /api/messages'),
  'GET /api/messages (searched)': async () => {
    const { receive, ask } = await newPair();
    await moreThanAPage(receive);
    return () => ask('GET /api/messages', { query: { search: 'noon' } });
  },
  'GET /api/messages/unread-count': ofPage('GET /api/messages/unread-count'),
  'GET /api/messages/conversations': ofPage('GET /api/messages/conversations'),
  'GET /api/messages/conversations (searched)': async () => {
    const { receive, ask } = await newPair();
    await moreThanAPage(receive);
    return () => ask('GET /api/messages/conversations', { query: { search: 'lunch' } });
  },
  'GET /api/messages/conversations/{id}': async () => {
    const { receive, ask } = await newPair();
    const conversationId = await receive();
    await moreThanAPage(() => receive({ conversationId }));
    return () => ask('GET /api/messages/conversations/{id}', params(conversationId));
  },
  'GET /api/messages/{id}/attachments/{fileId}': async () => {
    const { bob, receive, ask } = await newPair();
    const fileId = await made(bob);
    const id = await receive({ attachments: [fileId] });
    return () =>
      ask('GET /api/messages/{id}/attachments/{fileId}', {
        params: { id: String(id), fileId: String(fileId) },
      });
  },
  'GET /api/messages/{id}': ofOne('GET /api/messages/{id}'),
  'POST /api/messages': async () => {
    const { bob, ask } = await newPair();
    return () => ask('POST /api/messages', { body: { to: bob.id, content: 'At noon?' } });
  },
  'POST /api/messages (as many words as are indexed)': async () => {
    const { bob, ask } = await newPair();
    const content = Array.from({ length: 300 }, (_, at) => `word${at}`).join(' ');
    return () => ask('POST /api/messages', { body: { to: bob.id, content } });
  },
  'POST /api/messages (to ten)': async () => {
    const { ask } = await newPair();
    const recipients: number[] = [];
    while (recipients.length < 10) recipients.push((await newUser()).id);
    return () => ask('POST /api/messages', { body: { recipients, content: 'At noon?' } });
  },
  'POST /api/messages (a reply)': async () => {
    const { receive, ask } = await newPair();
    const replyTo = await receive();
    // Messages of the same millisecond have no defined order.
    pass(1);
    return () => ask('POST /api/messages', { body: { replyTo, content: 'Yes' } });
  },
  'PUT /api/messages/{id}/read': ofOne('PUT /api/messages/{id}/read'),
  'DELETE /api/messages/{id}': ofOne('DELETE /api/messages/{id}'),
};
