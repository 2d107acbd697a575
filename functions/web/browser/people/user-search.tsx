import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Item } from '../client/endpoints.ts';
import { Avatar } from '../components/avatar.tsx';
import { SearchField } from '../components/search-field.tsx';
import { api } from '../shell/api.ts';

export type FoundUser = Item<'GET /api/users'>;

/** What is shown of someone. */
export interface FoundPerson {
  readonly id: number;
  readonly name: string;
  readonly email?: string;
}

const delayMs = 250;
const shown = 6;

interface UserSearchProps<User extends FoundPerson> {
  readonly label: string;
  /** Below the field, until a user is chosen. */
  readonly hint: string;
  /** What it says if nobody is found. */
  readonly none: string;
  readonly chosen?: User | undefined;
  /** Called with `undefined` when the text of the chosen one is changed. */
  readonly onChoose: (user: User | undefined) => unknown;
  readonly isAllowed?: (user: User) => boolean;
  readonly isActiveOnly?: boolean;
  /** Finds people in another way than among all users, which needs `users:view`. */
  readonly find?: (text: string) => Promise<readonly User[]>;
}

/** Finds someone by name or email address, and lets one be chosen. */
export const UserSearch = <User extends FoundPerson = FoundUser>(props: UserSearchProps<User>) => {
  const { label, hint, none, chosen, onChoose, isAllowed = () => true, isActiveOnly } = props;
  const findAmongAll = async (search: string) => {
    const query = {
      search,
      pageSize: shown + 1,
      ...(isActiveOnly && { status: 'active' as const }),
    };
    const page = await api.call('GET /api/users', { query });
    // Without `find`, `User` is what this operation answers.
    return ('items' in page ? page.items : []) as unknown as readonly User[];
  };
  const search = useSignal('');
  const found = useSignal<readonly User[] | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  const text = search.value.trim();
  const choose = (user: User) => {
    search.value = '';
    onChoose(user);
    // The button that had the focus is gone.
    place.current?.querySelector('input')?.focus();
  };
  useEffect(() => {
    let isLatest = true;
    const find = async () => {
      try {
        const people = await (props.find ?? findAmongAll)(text);
        if (!isLatest) return;
        found.value = people.filter(isAllowed).slice(0, shown);
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
            {failure.value ?? (found.value?.length === 0 ? none : hint)}
          </p>
          <ul>
            {found.value?.map((user) => (
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
