import { api } from '../shell/api.ts';
import { signedIn } from '../shell/session.ts';
import { peopleTexts as texts } from './texts.ts';

/** What is shown of someone. */
export interface FoundPerson {
  readonly id: number;
  /** The email address of someone whose name isn’t found. */
  readonly name: string;
  readonly email?: string;
}

/** A way to find people. */
export interface PeopleSource {
  /** What to enter. */
  readonly label: string;
  /** What there is to know about it; may be empty. */
  readonly hint: string;
  /** What it says if nobody is found. */
  readonly none: string;
  /** Returns `undefined` for a text that is not yet worth a request. */
  find(text: string): Promise<readonly FoundPerson[] | undefined>;
}

/** How the user finds others. */
export const mode = signedIn?.directory ?? 'off';

const isAddress = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text);

/** The service’s directory of people; `undefined` if the user finds nobody. */
export const directory: PeopleSource | undefined =
  mode === 'off'
    ? undefined
    : {
        label: texts.labels[mode],
        hint: texts.hints[mode],
        none: texts.none[mode],
        find: async (search) => {
          if (mode === 'exact' && !isAddress(search)) return undefined;
          const people = await api.call('GET /api/users/directory', { query: { search } });
          return people.map(({ id, name, email }) =>
            name === undefined ? { id, name: email } : { id, name, email },
          );
        },
      };
