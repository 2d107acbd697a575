import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Item } from '../client/endpoints.ts';
import { Avatar } from '../components/avatar.tsx';
import { SearchField } from '../components/search-field.tsx';
import { api } from '../shell/api.ts';

export type FoundUser = Item<'GET /api/users'>;

const delayMs = 250;
const shown = 6;

interface UserSearchProps {
  readonly label: string;
  /** Below the field, until a user is chosen. */
  readonly hint: string;
  /** What it says if nobody is found. */
  readonly none: string;
  readonly chosen?: FoundUser | undefined;
  /** Called with `undefined` when the text of the chosen one is changed. */
  readonly onChoose: (user: FoundUser | undefined) => unknown;
  readonly isAllowed?: (user: FoundUser) => boolean;
  readonly isActiveOnly?: boolean;
}

/** Finds a user by name or email address, and lets one be chosen. It needs `users:view`. */
export const UserSearch = (props: UserSearchProps) => {
  const { label, hint, none, chosen, onChoose, isAllowed = () => true, isActiveOnly } = props;
  const search = useSignal('');
  const found = useSignal<readonly FoundUser[] | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  const text = search.value.trim();
  const choose = (user: FoundUser) => {
    search.value = '';
    onChoose(user);
    // The button that had the focus is gone.
    place.current?.querySelector('input')?.focus();
  };
  useEffect(() => {
    let isLatest = true;
    const find = async () => {
      const query = {
        search: text,
        pageSize: shown + 1,
        ...(isActiveOnly && { status: 'active' as const }),
      };
      try {
        const page = await api.call('GET /api/users', { query });
        if (!isLatest) return;
        found.value = 'items' in page ? page.items.filter(isAllowed).slice(0, shown) : [];
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
