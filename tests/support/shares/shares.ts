import { type Answer, call } from '../service/call.ts';
import { form } from '../service/form.ts';

const viewQuery = (view: string | undefined) => (view === undefined ? {} : { query: { view } });

/** Requests a view by the API. */
export const view = (id: string, given?: string, method = 'GET'): Promise<Answer> =>
  call(`${method} /api/share`, {
    query: { id },
    ...(given !== undefined && { headers: { 'x-share-password': given } }),
  });

/** Requests the page of a share, optionally with a view token. */
export const page = (id: string, token?: string, method = 'GET'): Promise<Answer> =>
  call(`${method} /s/{id}`, { params: { id }, ...viewQuery(token) });

export const raw = (id: string, token?: string): Promise<Answer> =>
  call('GET /s/{id}/raw', { params: { id }, ...viewQuery(token) });

export const frame = (id: string, token?: string): Promise<Answer> =>
  call('GET /{id}', { params: { id }, ...viewQuery(token) });

/** Opens a share by the form of its page. `claim` identifies the submission. */
export const open = (id: string, fields: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  call('POST /s/{id}/open', { params: { id }, ...form(fields) });

/** Returns the view token from the response to opening a share. */
export const tokenIn = ({ headers }: Answer): string | undefined =>
  new URL(headers['location'] ?? '', 'https://handbill.test').searchParams.get('view') ?? undefined;
