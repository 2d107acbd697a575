import { randomBytes } from 'node:crypto';
import * as users from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import { isPasswordSignInOn } from '../../../shared/auth/ways-in.ts';
import type { Permission } from '../../../shared/permissions/permissions.ts';
import { expectStatus, failed, type Send } from './requests.ts';

/** Whom a test creates and signs in as. */
export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** Creates a person with an address of SES that accepts every email and delivers none. */
export const createPerson = (): Person => ({
  name: 'Smoke test',
  email: `success+${randomBytes(9).toString('hex')}@simulator.amazonses.com`,
  password: randomBytes(18).toString('base64url'),
});

/** Whoever makes the account of a test, which may keep files, and removes it. */
export interface Caretaker {
  /** Creates the account. Returns its id, or why the test can't have one. */
  create(person: Person, send: Send): Promise<number | string>;
  /** Removes the account with all it has. */
  remove(id: number, send: Send): Promise<void>;
}

const permissions: Permission[] = ['files:view', 'files:create', 'files:delete'];

/** Works on the table, with the AWS credentials of the person who deploys, so it needs no open registration. */
export const byTable: Caretaker = {
  create: async ({ name, email, password }) => {
    if (!isPasswordSignInOn()) return 'passwords are off, so its account couldn’t sign in';
    const passwordHash = await hashPassword(password);
    const emailVerifiedAt = new Date().toISOString();
    const user = await users.create(
      { name, email, passwordHash, emailVerifiedAt, role: 'user', extraPermissions: permissions },
      systemRecorder('user.create'),
    );
    return user.id;
  },
  remove: async (id) => {
    await users.removeUser(id, () => undefined, undefined, systemRecorder('user.delete'));
  },
};

/** What the service answers to a new account. */
interface Created {
  readonly status: number;
  readonly id: number | undefined;
  /** The fields that are refused. */
  readonly refused: readonly string[];
}

interface Answer {
  readonly user?: { readonly id: number };
  readonly data?: { readonly id: number };
  readonly error?: { readonly details?: readonly { readonly field: string }[] };
}

const post = async (send: Send, path: string, body: object, token?: string): Promise<Created> => {
  const response = await send(path, { method: 'POST', token, body });
  const { user, data, error } = (await response.json().catch(() => ({}))) as Answer;
  const refused = (error?.details ?? []).map(({ field }) => field);
  return { status: response.status, id: user?.id ?? data?.id, refused };
};

/** Works through the API, with an API token that may manage users. Where nobody may register, it creates the account. */
export const byToken = (token: string): Caretaker => ({
  create: async (person, send) => {
    const registration = { ...person, confirmPassword: person.password };
    const registered = await post(send, '/api/auth/register', registration);
    if (registered.refused.includes('email')) return 'ALLOWED_DOMAINS refuses its address';
    if (registered.id !== undefined) {
      const request = { method: 'PUT', token, body: { permissions } };
      await expectStatus(send, 200, `/api/users/${registered.id}`, request);
      return registered.id;
    }
    if (registered.status !== 403 && !registered.refused.includes('token')) {
      throw failed('POST /api/auth/register', registered.status);
    }
    const created = await post(send, '/api/users', { ...person, permissions }, token);
    if (created.status === 403)
      return 'registration isn’t open, and the API token can’t create users, or passwords are off';
    if (created.id === undefined) throw failed('POST /api/users', created.status);
    return created.id;
  },
  remove: async (id, send) => {
    await expectStatus(send, 200, `/api/users/${id}`, { method: 'DELETE', token });
  },
});
