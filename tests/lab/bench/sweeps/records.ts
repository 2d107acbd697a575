import { create } from '../../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../../shared/audit/audit-log.ts';
import { hashPassword } from '../../../../shared/auth/passwords.ts';
import { forEachAtOnce } from '../../../../shared/runtime/at-once.ts';
import { type CallOptions, call } from '../../../support/service/call.ts';
import type { Site } from './site.ts';

/** A user who creates records. */
export interface Owner {
  readonly id: number;
  readonly token: string;
}

const password = 'correct horse';
const atOnce = 8;
let owners = 0;

const succeed = async (endpoint: string, options: CallOptions) => {
  const response = await call(endpoint, options);
  if (response.status < 300) return response.body;
  throw new Error(`${endpoint} answered ${response.status}: ${JSON.stringify(response.body)}`);
};

/** Creates a user. */
export const newOwner = async (): Promise<Owner> => {
  const email = `owner${++owners}@example.com`;
  const passwordHash = await hashPassword(password);
  const user = { email, name: 'Olga Owner', role: 'super_admin', passwordHash } as const;
  const { id } = await create(user, systemRecorder('user.create'));
  const { accessToken } = await succeed('POST /api/auth/login', { body: { email, password } });
  return { id, token: accessToken };
};

/** Records of a millisecond: an id has only 12 random bits besides it. */
const atATime = 200;

/** Creates so many records through the API, in turn of these owners. */
export const makeRecords = async (
  site: Site,
  endpoint: string,
  count: number,
  by: readonly Owner[],
  body: object,
): Promise<void> => {
  for (let made = 0; made < count; made += atATime) {
    await site.pass(1);
    const some = Array.from({ length: Math.min(atATime, count - made) }, (_, at) => made + at);
    await forEachAtOnce(some, atOnce, async (at) => {
      await succeed(endpoint, { token: by[at % by.length]?.token, body });
    });
  }
};
