import { type Exchange, idsListed } from './properties.ts';
import { kindOfPath } from './records.ts';

const makesRecord =
  /^POST \/api\/(users|documents|files\/(upload|presign|folders)|messages|calendar\/events|sales|share|auth\/tokens)$/;

/** Kinds whose lists contain only the caller's own records. */
const listsOwn = new Set(['session', 'apiToken', 'notification', 'message', 'conversation']);

const idOf = ({ answer: { body } }: Exchange): string | undefined => {
  const id = body?.data?.id ?? body?.id ?? body?.data?.file?.id;
  return id === undefined ? undefined : String(id);
};

/** Records a deletion. A message is deleted only for the caller, any other record for everyone. */
const noteDeletion = ({ request, caller: client, records }: Exchange): void => {
  const { path } = request.operation;
  const kind = kindOfPath(path);
  const known = kind && records.find(kind, request.params['id'] ?? '');
  if (!known || !path.endsWith('/{id}')) return;
  if (kind === 'message') known.deletedFor.add(client.userId ?? 0);
  else known.life = path === '/api/documents/{id}' ? 'trashed' : 'deleted';
};

/** Records which records a response creates, deletes or contains, and their owners. */
export const learn = (exchange: Exchange): void => {
  const { request, caller: client, answer: response, records } = exchange;
  const { endpoint, method, path } = request.operation;
  if (response.status >= 300) return;
  const kind = kindOfPath(path);
  const id = idOf(exchange);
  if (kind && id !== undefined && makesRecord.test(endpoint)) {
    records.add(kind, id, client.userId);
  }
  if (kind && method === 'GET') {
    const ownerId = listsOwn.has(kind) ? client.userId : undefined;
    for (const each of idsListed(response)) records.add(kind, each, ownerId);
  }
  if (method === 'DELETE') noteDeletion(exchange);
  if (endpoint === 'DELETE /api/users/{id}') records.disown(Number(request.params['id']));
  if (endpoint === 'POST /api/documents/{id}/restore') {
    const known = records.find('document', request.params['id'] ?? '');
    if (known) known.life = 'live';
  }
  const { start, email, url } = response.body?.data ?? {};
  if (kind === 'event' && typeof start === 'string') records.add('eventStart', start);
  if (typeof email === 'string') records.add('email', email);
  const feedToken = typeof url === 'string' && url.match(/\/calendar\/([^/]+)\//)?.[1];
  if (feedToken) records.add('feedToken', feedToken);
  const cursor = response.body?.data?.nextCursor ?? response.body?.nextCursor;
  if (typeof cursor === 'string') records.add('cursor', cursor);
  if (response.headers['etag']) records.add('etag', response.headers['etag']);
};
