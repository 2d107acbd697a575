import type { Role } from '../../../shared/permissions/permissions.ts';
import { pass } from '../run/virtual-time.ts';
import { type Answer, type CallOptions, call } from '../service/call.ts';
import { newUserOf, type Person } from '../users/test-users.ts';

/**
 * A successful call of each route, by its endpoint; where there is more than one typical call of it, with words in
 * brackets behind that. Each is prepared first: what that takes isn't the call's.
 */
export type TypicalCalls = Readonly<Record<string, () => Promise<() => Promise<Answer>>>>;

/** A call that needs no preparation. */
export const plain = (endpoint: string, options?: CallOptions) => async () => () =>
  call(endpoint, options);

let people = 100;

/** An address of three words and of the same length each time, because users are stored by the words of theirs. */
export const nextEmail = (): string => `user${++people}@example.com`;

/** A user who has signed in within the hour, so that this isn't noted again. */
export const newUser = (role: Role = 'user', extraPermissions: string[] = []): Promise<Person> =>
  newUserOf(role, { email: nextEmail(), name: 'Ann Example', extraPermissions });

/** Makes one more than a page of a list shows, each at a time of its own: that is the order of the list. */
export const moreThanAPage = async (make: () => Promise<unknown>): Promise<void> => {
  for (let made = 0; made <= 10; made++) {
    pass(1);
    await make();
  }
};

export const params = (id: unknown) => ({ params: { id: String(id) } });

export const form = (fields: Readonly<Record<string, string>>): string =>
  new URLSearchParams(fields).toString();
