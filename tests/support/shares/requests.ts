import { type Answer, call } from '../service/call.ts';
import type { Person } from '../users/test-users.ts';

type Headers = Readonly<Record<string, string>>;

export const content = '<p>What nobody else is to read</p>';
export const reason = 'It asks for a password of another site';

/** What someone asks for who is signed in. */
export const sharesOf = ({ token }: Pick<Person, 'token'>) => {
  const create = (body: object = {}): Promise<Answer> =>
    call('POST /api/share', { token, body: { content, ...body } });
  return {
    create,
    /** Makes a share and answers its id. */
    newShare: async (body: object = {}): Promise<string> => (await create(body)).body.id,
    put: (id: string, body: object, headers: Headers = {}): Promise<Answer> =>
      call('PUT /api/share/{id}', { params: { id }, token, body, headers }),
    end: (id: string): Promise<Answer> =>
      call('POST /api/share/{id}/end', { params: { id }, token }),
    remove: (id: string, headers: Headers = {}): Promise<Answer> =>
      call('DELETE /api/share/{id}', { params: { id }, token, headers }),
    /** The owner's look. */
    look: (id: string, headers: Headers = {}, method = 'GET'): Promise<Answer> =>
      call(`${method} /api/share`, { query: { id, mine: 'true' }, token, headers }),
    list: (): Promise<Answer> => call('GET /api/share', { query: { mine: 'true' }, token }),
    report: (id: string): Promise<Answer> => report(id, token),
    /** The look of those who manage everybody's shares, and what they decide. */
    manage: (id: string, headers: Headers = {}): Promise<Answer> =>
      call('GET /api/shares/{id}', { params: { id }, token, headers }),
    decide: (id: string, decision: string, headers: Headers = {}): Promise<Answer> =>
      call('PUT /api/shares/{id}/decision', { params: { id }, token, body: { decision }, headers }),
  };
};

/** A report of someone who may be signed in. */
export const report = (id: string, token?: string): Promise<Answer> =>
  call('POST /api/share/{id}/report', { params: { id }, token, body: { reason } });

/** A report by the form of the share's page. */
export const reportByPage = (id: string): Promise<Answer> =>
  call('POST /s/{id}/report', {
    params: { id },
    body: new URLSearchParams({ reason }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
