import { expect } from 'vitest';
import { formOf, multipartType, type Part } from '../files/files.ts';
import { type Answer, type CallOptions, call } from '../service/call.ts';
import { form } from '../service/form.ts';
import type { Person } from '../users/test-users.ts';

type Headers = Readonly<Record<string, string>>;

/** Creates the requests of a user who is signed in when they are sent, about share requests. */
export const intakeOf = (person: Pick<Person, 'token'>) => {
  const ask = (endpoint: string, options: CallOptions = {}): Promise<Answer> =>
    call(endpoint, { token: person.token, ...options });
  const create = (body: object = {}, headers: Headers = {}): Promise<Answer> =>
    ask('POST /api/share/requests', { body: { title: 'Logs of the outage', ...body }, headers });
  return {
    create,
    /** Creates a request and returns its id. */
    newRequest: async (body: object = {}): Promise<string> => {
      const response = await create(body);
      expect(response.status, JSON.stringify(response.body)).toBe(201);
      return response.body.id;
    },
    list: (query: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      ask('GET /api/share/requests', { query }),
    get: (id: string): Promise<Answer> => ask('GET /api/share/requests/{id}', { params: { id } }),
    put: (id: string, body: object, headers: Headers = {}): Promise<Answer> =>
      ask('PUT /api/share/requests/{id}', { params: { id }, body, headers }),
    remove: (id: string, headers: Headers = {}): Promise<Answer> =>
      ask('DELETE /api/share/requests/{id}', { params: { id }, headers }),
    /** Requests the reported requests, as a moderator. */
    reported: (): Promise<Answer> => ask('GET /api/shares/requests'),
    decide: (id: string, body: object, headers: Headers = {}): Promise<Answer> =>
      ask('PUT /api/shares/requests/{id}/decision', { params: { id }, body, headers }),
  };
};

/** A form of a request. Files are given by name. */
interface Sent {
  readonly fields?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** Opens the page of a request. */
export const visit = (id: string, query: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  call('GET /r/{id}', { params: { id }, query });

let forms = 0;

/** Returns the fields of a form that is filled in, each time another one. */
export const filledIn = (): Readonly<Record<string, string>> => ({
  claim: `form-${++forms}`,
  name: 'Mei',
  text: 'What only Ann is to read',
});

/** Sends a form of a request as it is. */
export const send = (
  id: string,
  { fields = {}, files = {} }: Sent,
  options: CallOptions = {},
): Promise<Answer> => {
  const parts: Part[] = [
    ...Object.entries(fields).map(([name, content]) => ({ name, content })),
    ...Object.entries(files).map(([fileName, content]) => ({ name: 'files', fileName, content })),
  ];
  return call('POST /r/{id}', {
    params: { id },
    headers: multipartType,
    body: formOf(...parts),
    ...options,
  });
};

/** Hands content in by a new form, with these fields instead of the usual ones. */
export const handIn = (
  id: string,
  fields: Readonly<Record<string, string>> = {},
  files: Sent['files'] = {},
): Promise<Answer> => send(id, { fields: { ...filledIn(), ...fields }, files });

/** Returns the receipt number that a form was answered with. */
export const receiptIn = ({ headers }: Answer): string =>
  new URL(headers['location'] ?? '', 'https://handbill.test').searchParams.get('receipt') ?? '';

/** Reports a request by the form of its page. */
export const reportRequest = (id: string, reason = 'It asks for passwords'): Promise<Answer> =>
  call('POST /r/{id}/report', { params: { id }, ...form({ reason }) });
