import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Avatar } from '../components/avatar.tsx';
import { SearchField } from '../components/search-field.tsx';
import { directory, type FoundPerson, type PeopleSource } from './directory.ts';
import { peopleTexts as texts } from './texts.ts';

const delayMs = 250;
const shown = 8;

interface UserSearchProps {
  /** By default, the service’s directory. */
  readonly source?: PeopleSource | undefined;
  /** By default, what the source says to enter. */
  readonly label?: string;
  /** Below the field, until a user is chosen. */
  readonly hint: string;
  readonly chosen?: FoundPerson | undefined;
  /** Called with `undefined` when the text of the chosen one is changed. */
  readonly onChoose: (user: FoundPerson | undefined) => unknown;
  readonly isAllowed?: (user: FoundPerson) => boolean;
}

interface FieldProps extends Omit<UserSearchProps, 'source'> {
  readonly source: PeopleSource;
}

const Search = (props: FieldProps) => {
  const { source, label = source.label, hint, chosen, onChoose, isAllowed = () => true } = props;
  const search = useSignal('');
  const found = useSignal<readonly FoundPerson[] | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  const text = search.value.trim();
  const choose = (user: FoundPerson) => {
    search.value = '';
    onChoose(user);
    // The button that had the focus is gone.
    place.current?.querySelector('input')?.focus();
  };
  useEffect(() => {
    let isLatest = true;
    const find = async () => {
      try {
        const people = await source.find(text);
        if (!isLatest) return;
        found.value = people;
        failure.value = undefined;
      } catch (error) {
        if (isLatest) failure.value = (error as Error).message;
      }
    };
    if (text === '') found.value = undefined;
    else void find();
    return () => {
      isLatest = false;
    };
  }, [text]);
  const allowed = found.value?.filter(isAllowed).slice(0, shown);
  const hints = [source.hint, hint].filter(Boolean).join(' ');
  const none = found.value?.length === 0 ? source.none : texts.onlyAdded;
  return (
    <div class="receivers" ref={place}>
      <SearchField
        label={label}
        value={chosen?.name ?? search.value}
        delayMs={delayMs}
        onInput={(next) => {
          if (chosen) onChoose(undefined);
          search.value = next;
        }}
      />
      {!chosen && (
        <>
          <p class="hint" role="status">
            {failure.value ?? (allowed?.length === 0 ? none : hints)}
          </p>
          <ul>
            {allowed?.map((user) => (
              <li key={user.id}>
                <button type="button" class="btn ghost wide" onClick={() => choose(user)}>
                  <Avatar name={user.name} size="s" />
                  <span class="cut">{user.name}</span>
                  <span class="mute tiny cut">{user.email}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
};

/** Finds someone and lets one be chosen, or says that nobody can be found. */
export const UserSearch = ({ source = directory, ...props }: UserSearchProps) =>
  source ? <Search source={source} {...props} /> : <p class="hint">{texts.off}</p>;
