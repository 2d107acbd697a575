import { type Answer, call } from '../service/call.ts';
import { form } from '../service/form.ts';
import type { Person } from '../users/test-users.ts';

type Headers = Readonly<Record<string, string>>;

export const content = '<p>What nobody else is to read</p>';
export const reason = 'It asks for a password of another site';

/** Creates the requests of a signed-in user. */
export const sharesOf = ({ token }: Pick<Person, 'token'>) => {
  const create = (body: object = {}): Promise<Answer> =>
    call('POST /api/share', { token, body: { content, ...body } });
  return {
    create,
    /** Creates a share and returns its id. */
    newShare: async (body: object = {}): Promise<string> => (await create(body)).body.id,
    put: (id: string, body: object, headers: Headers = {}): Promise<Answer> =>
      call('PUT /api/share/{id}', { params: { id }, token, body, headers }),
    end: (id: string): Promise<Answer> =>
      call('POST /api/share/{id}/end', { params: { id }, token }),
    remove: (id: string, headers: Headers = {}): Promise<Answer> =>
      call('DELETE /api/share/{id}', { params: { id }, token, headers }),
    /** Requests the owner's view of a share. */
    look: (id: string, headers: Headers = {}, method = 'GET'): Promise<Answer> =>
      call(`${method} /api/share`, { query: { id, mine: 'true' }, token, headers }),
    list: (): Promise<Answer> => call('GET /api/share', { query: { mine: 'true' }, token }),
    /** Requests the own shares by further parameters. */
    listBy: (query: Readonly<Record<string, string>>): Promise<Answer> =>
      call('GET /api/share', { query: { mine: 'true', ...query }, token }),
    summary: (): Promise<Answer> => call('GET /api/share/summary', { token }),
    report: (id: string): Promise<Answer> => report(id, token),
    /** Requests the moderator's view of a share. */
    manage: (id: string, headers: Headers = {}): Promise<Answer> =>
      call('GET /api/shares/{id}', { params: { id }, token, headers }),
    decide: (id: string, decision: string, headers: Headers = {}): Promise<Answer> =>
      call('PUT /api/shares/{id}/decision', { params: { id }, token, body: { decision }, headers }),
  };
};

/** Creates the requests of a signed-in user about the links of shares. */
export const linksOf = ({ token }: Pick<Person, 'token'>) => ({
  links: (id: string): Promise<Answer> =>
    call('GET /api/share/{id}/links', { params: { id }, token }),
  addLink: (id: string, body: object = { label: 'Mei' }): Promise<Answer> =>
    call('POST /api/share/{id}/links', { params: { id }, token, body }),
  revokeLink: (id: string, linkId: string): Promise<Answer> =>
    call('DELETE /api/share/{id}/links/{linkId}', { params: { id, linkId }, token }),
});

/** Creates the requests about the revisions of shares, optionally of a signed-in user. */
export const revisionsOf = ({ token }: { readonly token?: string } = {}) => {
  const send = (method: string, path: string, more: object): Promise<Answer> =>
    call(`${method} /api/share/{id}/revisions${path}`, { ...(token && { token }), ...more });
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
      call('GET /s/{id}/revisions', { ...(token && { token }), params: { id }, query }),
    raw: (id: string, version: number): Promise<Answer> =>
      call('GET /s/{id}/revisions/{version}/raw', {
        ...(token && { token }),
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
