import { beforeAll, beforeEach } from 'vitest';
import type { Role } from '../../../shared/permissions/permissions.ts';
import { login, newUserOf, type Person } from './test-users.ts';

/** How to create a user: the role of one, or a function. */
type Creation = Role | (() => Promise<Person>);

const createWith =
  (before: typeof beforeAll) =>
  <Name extends string>(
    creations: Readonly<Record<Name, Creation>>,
  ): Readonly<Record<Name, Person>> => {
    const all = (Object.entries(creations) as [Name, Creation][]).map(
      ([name, creation]) => ({ name, creation, person: {} as Person }) as const,
    );
    before(async () => {
      for (const { creation, person } of all) {
        Object.assign(
          person,
          await (typeof creation === 'string' ? newUserOf(creation) : creation()),
        );
      }
    });
    return Object.fromEntries(all.map(({ name, person }) => [name, person])) as Record<
      Name,
      Person
    >;
  };

/** Creates the users of a file or a suite, in order. They have no fields before its first test. */
export const usePeople = createWith(beforeAll);

/** Creates the users of each test of a file or a suite, in order. They have no fields before it. */
export const useNewPeople = createWith(beforeEach);

/** Signs a user in again. Its token becomes that of the new session. */
export const signInAgain = async (person: Person): Promise<void> => {
  Object.assign(person, { token: (await login(person.email)).body.accessToken });
};
