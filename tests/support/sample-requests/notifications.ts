import { notify } from '../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { listed } from '../notifications/notifications.ts';
import { type CallOptions, call } from '../service/call.ts';
import { moreThanAPage, newUser, params, type TypicalCalls } from './sample-request.ts';

/** Prepares a user with notifications about shared documents, and a request about them. */
const newTold = async () => {
  const [reader, author] = [await newUser(), await newUser()];
  let documents = 0;
  const tell = async () => {
    const document = { id: ++documents, title: 'A document' };
    const notice = notificationTemplates.documentShared(document, {
      id: author.id,
      name: 'Ann Author',
    });
    await notify([reader.id], notice, `document-shared#${document.id}`);
    return (await listed(reader)).items[0]?.['id'] as number;
  };
  const ask = (endpoint: string, options: CallOptions = {}) =>
    call(endpoint, { token: reader.token, ...options });
  return { tell, ask };
};

const ofAll =
  (endpoint: string, query: Readonly<Record<string, string>> = {}) =>
  async () => {
    const { tell, ask } = await newTold();
    await moreThanAPage(tell);
    return () => ask(endpoint, { query });
  };

const ofOne = (endpoint: string) => async () => {
  const { tell, ask } = await newTold();
  const id = await tell();
  return () => ask(endpoint, params(id));
};

export const notificationCalls: TypicalCalls = {
  'GET /api/notifications': ofAll('GET /api/notifications'),
  'GET /api/notifications (unread ones)': ofAll('GET /api/notifications', { unread: 'true' }),
  'GET /api/notifications (of a type)': ofAll('GET /api/notifications', { type: 'user' }),
  'GET /api/notifications/unread-count': ofAll('GET /api/notifications/unread-count'),
  'GET /api/notifications/updates': ofAll('GET /api/notifications/updates'),
  'PUT /api/notifications/read-all': ofAll('PUT /api/notifications/read-all'),
  'PUT /api/notifications/{id}/read': ofOne('PUT /api/notifications/{id}/read'),
  'DELETE /api/notifications/{id}': ofOne('DELETE /api/notifications/{id}'),
};
