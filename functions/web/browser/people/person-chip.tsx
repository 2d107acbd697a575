import { Avatar } from '../components/avatar.tsx';
import { Icon } from '../components/icon.tsx';
import type { FoundPerson } from './directory.ts';
import { peopleTexts as texts } from './texts.ts';

interface PersonChipProps {
  readonly person: FoundPerson;
  /** Whether Backspace removes this one next. */
  readonly isArmed: boolean;
  readonly onRemove: () => unknown;
}

/** Someone who is chosen. */
export const PersonChip = ({ person: { name }, isArmed, onRemove }: PersonChipProps) => (
  <span class={isArmed ? 'token armed' : 'token'}>
    <Avatar name={name} size="s" />
    <span class="cut" dir="auto" title={name}>
      {name}
    </span>
    <button type="button" aria-label={texts.remove(name)} onClick={onRemove}>
      <Icon name="x" />
    </button>
  </span>
);
