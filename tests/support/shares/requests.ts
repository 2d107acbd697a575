import { expect } from 'vitest';
import { type Answer, type CallOptions, call } from '../service/call.ts';
import { form } from '../service/form.ts';
import type { Person } from '../users/test-users.ts';

type Headers = Readonly<Record<string, string>>;

export const content = '<p>What nobody else is to read</p>';
export const reason = 'It asks for a password of another site';

const askAs =
  (person: Pick<Person, 'token'>) =>
  (endpoint: string, options: CallOptions = {}): Promise<Answer> =>
    call(endpoint, { token: person.token, ...options });

/** Creates the requests of a user who is signed in when they are sent. */
export const sharesOf = (person: Pick<Person, 'token'>) => {
  const ask = askAs(person);
  const create = (body: object = {}): Promise<Answer> =>
    ask('POST /api/share', { body: { content, ...body } });
  return {
    create,
    /** Creates a share and returns its id. */
    newShare: async (body: object = {}): Promise<string> => {
      const response = await create(body);
      expect(response.status, JSON.stringify(response.body)).toBe(201);
      return response.body.id;
    },
    put: (id: string, body: object, headers: Headers = {}): Promise<Answer> =>
      ask('PUT /api/share/{id}', { params: { id }, body, headers }),
    end: (id: string): Promise<Answer> => ask('POST /api/share/{id}/end', { params: { id } }),
    reopen: (id: string): Promise<Answer> => ask('POST /api/share/{id}/reopen', { params: { id } }),
    remove: (id: string, headers: Headers = {}): Promise<Answer> =>
      ask('DELETE /api/share/{id}', { params: { id }, headers }),
    /** Requests the owner's view of a share. */
    look: (id: string, headers: Headers = {}, method = 'GET'): Promise<Answer> =>
      ask(`${method} /api/share`, { query: { id, mine: 'true' }, headers }),
    list: (): Promise<Answer> => ask('GET /api/share', { query: { mine: 'true' } }),
    /** Requests the own shares by further parameters. */
    listBy: (query: Readonly<Record<string, string>>): Promise<Answer> =>
      ask('GET /api/share', { query: { mine: 'true', ...query } }),
    receipts: (id: string): Promise<Answer> =>
      ask('GET /api/share/{id}/receipts', { params: { id } }),
    summary: (): Promise<Answer> => ask('GET /api/share/summary'),
    report: (id: string): Promise<Answer> => report(id, person.token),
    /** Requests the moderator's view of a share. */
    manage: (id: string, headers: Headers = {}): Promise<Answer> =>
      ask('GET /api/shares/{id}', { params: { id }, headers }),
    decide: (
      id: string,
      decision: unknown,
      headers: Headers = {},
      reason?: unknown,
    ): Promise<Answer> =>
      ask('PUT /api/shares/{id}/decision', { params: { id }, body: { decision, reason }, headers }),
  };
};

/** Creates the requests of a user about single files of shares. */
export const filesOf = (person: Pick<Person, 'token'>) => {
  const ask = askAs(person);
  return {
    list: (id: string): Promise<Answer> => ask('GET /api/share/{id}/files', { params: { id } }),
    put: (id: string, path: string, body: object, headers: Headers = {}): Promise<Answer> =>
      ask('PUT /api/share/{id}/files/{path+}', { params: { id, path }, body, headers }),
  };
};

/** Creates the requests of a signed-in user about the links of shares. */
export const linksOf = (person: Pick<Person, 'token'>) => {
  const ask = askAs(person);
  return {
    links: (id: string): Promise<Answer> => ask('GET /api/share/{id}/links', { params: { id } }),
    addLink: (id: string, body: object = { label: 'Mei' }): Promise<Answer> =>
      ask('POST /api/share/{id}/links', { params: { id }, body }),
    changeLink: (id: string, linkId: string, body: object): Promise<Answer> =>
      ask('PUT /api/share/{id}/links/{linkId}', { params: { id, linkId }, body }),
    sendLink: (id: string, linkId: string): Promise<Answer> =>
      ask('POST /api/share/{id}/links/{linkId}/send', { params: { id, linkId } }),
    revokeLink: (id: string, linkId: string): Promise<Answer> =>
      ask('DELETE /api/share/{id}/links/{linkId}', { params: { id, linkId } }),
  };
};

/** Creates the requests about the revisions of shares, optionally of a signed-in user. */
export const revisionsOf = (person: { readonly token?: string } = {}) => {
  const send = (method: string, path: string, more: object): Promise<Answer> =>
    call(`${method} /api/share/{id}/revisions${path}`, { token: person.token, ...more });
  const at = (id: string, version: number) => ({ params: { id, version: String(version) } });
  return {
    revisions: (id: string): Promise<Answer> => send('GET', '', { params: { id } }),
    revision: (id: string, version: number): Promise<Answer> =>
      send('GET', '/{version}', at(id, version)),
    diff: (id: string, version: number, query: Readonly<Record<string, string>> = {}) =>
      send('GET', '/{version}/diff', { ...at(id, version), query }),
    restore: (id: string, version: number, headers: Headers = {}): Promise<Answer> =>
      send('POST', '/{version}/restore', { ...at(id, version), headers }),
    page: (id: string, query: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      call('GET /s/{id}/revisions', { token: person.token, params: { id }, query }),
    raw: (id: string, version: number): Promise<Answer> =>
      call('GET /s/{id}/revisions/{version}/raw', {
        token: person.token,
        ...at(id, version),
      }),
  };
};

/** Reports a share, optionally as a signed-in user. */
export const report = (id: string, token?: string): Promise<Answer> =>
  call('POST /api/share/{id}/report', { params: { id }, token, body: { reason } });

/** Ends a share by the form of its page. */
export const endAsReader = (id: string, token?: string): Promise<Answer> =>
  call('POST /s/{id}/end', {
    params: { id },
    ...form(token === undefined ? {} : { token }),
  });

/** Reports a share by the form of its page. */
export const reportByPage = (id: string): Promise<Answer> =>
  call('POST /s/{id}/report', { params: { id }, ...form({ reason }) });
