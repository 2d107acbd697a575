import { useMemo } from 'preact/hooks';
import { Avatar } from '../components/avatar.tsx';
import { Marked, splitSearch } from '../components/marked.tsx';
import type { FoundPerson } from './directory.ts';
import { peopleTexts as texts } from './texts.ts';

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
  const searched = useMemo(() => splitSearch(search), [search]);
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
              <b dir="auto">
                <Marked text={person.name} searched={searched} />
              </b>
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
