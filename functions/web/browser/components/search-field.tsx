import { useEffect, useRef } from 'preact/hooks';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => unknown;
  /** How long the user has to pause, for searches that take a request. ms. */
  readonly delayMs?: number;
}

/** The search of a page, which `/` focuses. */
export const SearchField = ({ label, value, onInput, delayMs = 0 }: SearchFieldProps) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const input = (text: string) => {
    clearTimeout(timer.current);
    if (delayMs === 0) onInput(text);
    else timer.current = setTimeout(() => onInput(text), delayMs);
  };
  return (
    <div class="find">
      <i class="i-search" aria-hidden="true" />
      <input
        class="in"
        type="search"
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        maxLength={200}
        value={value}
        onInput={({ currentTarget }) => input(currentTarget.value)}
      />
    </div>
  );
};
