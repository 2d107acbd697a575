import { pass } from '../run/virtual-time.ts';
import { type Answer, type CallOptions, call } from '../service/call.ts';
import { newUserOf, type Person } from '../users/test-users.ts';

/**
 * Successful calls of each route by endpoint, with a suffix in brackets if there are several. Preparation is separate,
 * so that its usage is not measured.
 */
export type TypicalCalls = Readonly<Record<string, () => Promise<() => Promise<Answer>>>>;

/** Creates a call without preparation. */
export const plain = (endpoint: string, options?: CallOptions) => async () => () =>
  call(endpoint, options);

let people = 100;

/** Returns an email of three words and constant length, because users are indexed by these words. */
export const nextEmail = (): string => `user${++people}@example.com`;

/** Creates a user with session use recorded in this hour, so that it is not recorded again. */
export const newUser = (role = 'user', extraPermissions: string[] = []): Promise<Person> =>
  newUserOf(role, { email: nextEmail(), name: 'Ann Example', extraPermissions });

/** Creates one item more than a page, at different times, so that their order is defined. */
export const moreThanAPage = async (make: () => Promise<unknown>): Promise<void> => {
  for (let made = 0; made <= 10; made++) {
    pass(1);
    await make();
  }
};

export const params = (id: unknown) => ({ params: { id: String(id) } });
