import { fold } from '../../../../shared/text/fold.ts';
import { Avatar } from '../components/avatar.tsx';
import type { FoundPerson } from './directory.ts';
import { peopleTexts as texts } from './texts.ts';

/** Returns how many characters of a word begin it as a search does; 0 if it begins otherwise. */
const measureMatch = (word: string, searched: readonly string[]): number => {
  const start = searched.find((one) => one !== '' && fold(word).startsWith(one));
  if (start === undefined) return 0;
  // Folding changes lengths: ß is two letters.
  for (let length = 1; length < word.length; length += 1) {
    if (fold(word.slice(0, length)).length >= start.length) return length;
  }
  return word.length;
};

const Marked = ({ text, search }: { readonly text: string; readonly search: string }) => {
  const searched = fold(search).split(/\s+/);
  return (
    <b dir="auto">
      {text.split(/([\s-]+)/).map((word) => {
        const length = measureMatch(word, searched);
        return length === 0 ? word : [<mark>{word.slice(0, length)}</mark>, word.slice(length)];
      })}
    </b>
  );
};

/** Someone who is found. */
export interface Hit {
  readonly person: FoundPerson;
  /** Why this one can’t be picked, in a word or two. */
  readonly whyNot: string | undefined;
}

interface PersonHitsProps {
  readonly id: string;
  readonly label: string;
  readonly hits: readonly Hit[];
  readonly search: string;
  readonly active: FoundPerson | undefined;
  readonly onPoint: (person: FoundPerson) => unknown;
  readonly onPick: (person: FoundPerson) => unknown;
}

/** Returns the id of the option of someone. */
export const toOptionId = (id: string, person: FoundPerson): string => `${id}-${person.id}`;

/** The people who are found: the options of a combobox, whose input keeps the focus. */
export const PersonHits = (props: PersonHitsProps) => {
  const { id, label, hits, search, active, onPoint, onPick } = props;
  return (
    <div role="listbox" id={id} aria-label={label}>
      {hits.map(({ person, whyNot }) => {
        const isByAddress = person.name.includes('@');
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a combobox are those of its input
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
          <div
            key={person.id}
            role="option"
            id={toOptionId(id, person)}
            aria-selected={person === active}
            aria-disabled={whyNot !== undefined}
            onClick={() => whyNot === undefined && onPick(person)}
            onPointerMove={() => whyNot === undefined && onPoint(person)}
          >
            {isByAddress ? (
              <span class="av" aria-hidden="true">
                @
              </span>
            ) : (
              <Avatar name={person.name} />
            )}
            <span class="cut">
              <Marked text={person.name} search={search} />
              {(isByAddress || person.email !== undefined) && (
                <small class="cut">{isByAddress ? texts.addAddress : person.email}</small>
              )}
            </span>
            {whyNot !== undefined && <span class="badge">{whyNot}</span>}
          </div>
        );
      })}
    </div>
  );
};
