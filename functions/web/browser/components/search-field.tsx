interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => unknown;
}

/** The search of a page, which `/` focuses. */
export const SearchField = ({ label, value, onInput }: SearchFieldProps) => (
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
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  </div>
);
