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
  /** What to enter, in the empty field. */
  readonly placeholder: string;
  /** What there is to know about it; may be empty. */
  readonly hint: string;
  /** Says that a text finds nobody. */
  none(text: string): string;
  /** Returns whether a text is worth a request. */
  isEnough(text: string): boolean;
  /** Finds at most `most` people. */
  find(text: string): Promise<readonly FoundPerson[]>;
}

/** The most people of an answer. */
export const most = 8;

/** How the user finds others. */
export const mode = signedIn?.directory ?? 'off';

/** Returns whether a text is a whole email address. */
export const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** Says of the user, in a word, why they don’t add themselves. */
export const isYourself = ({ id }: FoundPerson): string | undefined =>
  id === signedIn?.user.id ? texts.you : undefined;

/** The service’s directory of people; `undefined` if the user finds nobody. */
export const directory: PeopleSource | undefined =
  mode === 'off'
    ? undefined
    : {
        placeholder: texts.placeholders[mode],
        hint: texts.hints[mode],
        none: texts.none[mode],
        isEnough: (text) => mode === 'members' || isAddress(text),
        find: async (search) => {
          const people = await api.call('GET /api/users/directory', { query: { search } });
          return people.map(({ id, name, email }) =>
            name === undefined ? { id, name: email } : { id, name, email },
          );
        },
      };
