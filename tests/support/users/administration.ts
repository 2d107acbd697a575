import { expect } from 'vitest';
import { type Answer, call } from '../service/call.ts';
import { newEmail, type Person } from './test-users.ts';

/** The requests of administrators about users. */

type Caller = Pick<Person, 'token'>;

const on = (id: number | string) => ({ params: { id: String(id) } });

export const createUser = ({ token }: Caller, body: object = {}, headers = {}): Promise<Answer> =>
  call('POST /api/users', {
    token,
    headers,
    body: { email: newEmail(), name: 'Bob Example', ...body },
  });

export const readUser = ({ token }: Caller, id: number | string): Promise<Answer> =>
  call('GET /api/users/{id}', { token, ...on(id) });

export const changeUser = (
  { token }: Caller,
  id: number | string,
  body: unknown,
  headers = {},
): Promise<Answer> => call('PUT /api/users/{id}', { token, ...on(id), body, headers });

export const inviteUser = ({ token }: Caller, id: number | string): Promise<Answer> =>
  call('POST /api/users/{id}/invitation', { token, ...on(id) });

/** Deletes a user, and transfers what the user owns if `transferTo` is given. */
export const deleteUser = (
  { token }: Caller,
  id: number | string,
  transferTo?: number | string,
): Promise<Answer> =>
  call('DELETE /api/users/{id}', {
    token,
    ...on(id),
    ...(transferTo !== undefined && { query: { transferTo: String(transferTo) } }),
  });

/** Deletes a user like `deleteUser`, successfully. */
export const removeUser = async (
  caller: Caller,
  id: number,
  transferTo?: number,
): Promise<void> => {
  const response = await deleteUser(caller, id, transferTo);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
};
