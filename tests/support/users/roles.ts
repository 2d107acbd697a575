import { expect } from 'vitest';
import { type Answer, call } from '../service/call.ts';
import type { Person } from './test-users.ts';

/** The requests about custom roles. */

type Caller = Pick<Person, 'token'>;

let names = 0;

/** Returns the name of a role that no other test uses. */
export const newRoleName = (): string => `role-${++names}`;

export const createRole = (
  { token }: Caller,
  permissions: readonly string[],
  fields: object = {},
  headers = {},
): Promise<Answer> => {
  const name = newRoleName();
  const body = { name, label: `Label of ${name}`, permissions, ...fields };
  return call('POST /api/roles', { token, body, headers });
};

/** Creates a role as `createRole`, successfully. Returns its name. */
export const newRole = async (
  caller: Caller,
  permissions: readonly string[],
  fields: object = {},
): Promise<string> => {
  const { status, body } = await createRole(caller, permissions, fields);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.name;
};

export const changeRole = (
  { token }: Caller,
  name: string,
  body: unknown,
  headers = {},
): Promise<Answer> => call('PUT /api/roles/{name}', { token, params: { name }, body, headers });

export const deleteRole = ({ token }: Caller, name: string, headers = {}): Promise<Answer> =>
  call('DELETE /api/roles/{name}', { token, params: { name }, headers });

export const readRole = ({ token }: Caller, name: string): Promise<Answer> =>
  call('GET /api/roles/{name}', { token, params: { name } });

export const listRoles = ({ token }: Caller): Promise<Answer> => call('GET /api/roles', { token });

/** Deletes the roles that nobody has, so that there is room for more. */
export const makeRoom = async (caller: Caller): Promise<void> => {
  for (const { name, users } of (await listRoles(caller)).body.data) {
    if (users === 0) await deleteRole(caller, name);
  }
};
