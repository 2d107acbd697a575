import { beforeAll, beforeEach } from 'vitest';
import { login, newUserOf, type Person } from './test-users.ts';

/** How to create a user: the role of one, or a function. */
type Creation = string | (() => Promise<Person>);

const createWith =
  (before: typeof beforeAll) =>
  <Name extends string>(
    creations: Readonly<Record<Name, Creation>>,
  ): Readonly<Record<Name, Person>> => {
    const names = Object.keys(creations) as Name[];
    const people = Object.fromEntries(names.map((name) => [name, {}])) as Record<Name, Person>;
    before(async () => {
      for (const name of names) {
        const creation: Creation = creations[name];
        const created = typeof creation === 'string' ? newUserOf(creation) : creation();
        Object.assign(people[name], await created);
      }
    });
    return people;
  };

/** Creates the users of a file or a suite, in order. They have no fields before its first test. */
export const usePeople = createWith(beforeAll);

/** Creates the users of each test of a file or a suite, in order. They have no fields before it. */
export const useNewPeople = createWith(beforeEach);

/** Signs a user in again, whose token becomes that of the new session. */
export const signInAgain = async (person: Person): Promise<Person> =>
  Object.assign(person, { token: (await login(person.email)).body.accessToken });
