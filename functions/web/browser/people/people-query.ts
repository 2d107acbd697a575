import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { containsWords } from '../../../../shared/text/fold.ts';
import type { FoundPerson, PeopleSource } from './directory.ts';

/** How long the user pauses before a request is sent. ms. */
const pauseMs = 150;

/** The people whom a source found for a text. */
interface Answer {
  readonly search: string;
  readonly people: readonly FoundPerson[];
}

/** What is found while the user types. */
export interface PeopleQuery {
  /** `undefined` while nothing is known yet. While an answer is awaited, those of the one before who match. */
  readonly found: readonly FoundPerson[] | undefined;
  /** Whether `found` is the answer to the text as it is now. */
  readonly isAnswered: boolean;
  readonly failure: ReadonlySignal<Error | undefined>;
  /** Sends the request now: without the pause, or again. */
  ask(): void;
}

const matches = ({ name, email = '' }: FoundPerson, search: string): boolean =>
  containsWords(`${name} ${email}`, search);

/** Finds people by a text: by none if it is empty. Only the answer to the newest text counts. */
export const usePeopleQuery = (source: PeopleSource, search: string): PeopleQuery => {
  const answer = useSignal<Answer | undefined>(undefined);
  const failure = useSignal<Error | undefined>(undefined);
  const asked = useSignal<{ readonly search: string } | undefined>(undefined);
  useEffect(() => {
    failure.value = undefined;
    if (search === '') {
      answer.value = undefined;
      return;
    }
    let isLatest = true;
    const find = async () => {
      try {
        const people = await source.find(search);
        if (isLatest) answer.value = { search, people };
      } catch (error) {
        if (isLatest) failure.value = error as Error;
      }
    };
    const timer = setTimeout(find, asked.value?.search === search ? 0 : pauseMs);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [source, search, asked.value]);
  const ask = () => {
    asked.value = { search };
  };
  // A browser that was offline asks again by itself.
  useEffect(() => {
    if (!failure.value) return;
    addEventListener('online', ask);
    return () => removeEventListener('online', ask);
  }, [failure.value, search]);

  const isAnswered = search !== '' && answer.value?.search === search;
  const earlier = answer.value?.people.filter((person) => matches(person, search));
  const found = isAnswered ? answer.value?.people : earlier?.length ? earlier : undefined;
  return { found, isAnswered, failure, ask };
};
