import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { commandKey } from '../platform.ts';
import { shellTexts } from '../texts.ts';
import { dialogTexts } from './dialog-texts.ts';
import { findCommands, type Group, type Item } from './palette-items.ts';
import { forgetShares, searchRecords } from './palette-search.ts';
import { clearKeys, fillKeys } from './shortcuts-dialog.tsx';

const texts = dialogTexts.palette;

const debounceMs = 150;

/** What a search for records has found so far. */
interface Search {
  readonly query: string;
  readonly groups: readonly Group[];
  readonly state: 'done' | 'searching' | 'failed';
}

const nothing: Search = { query: '', groups: [], state: 'done' };

/** Searches the records while the user types. Earlier results stay until there are new ones. */
const useRecords = (query: string): Search => {
  const [search, setSearch] = useState(nothing);
  useEffect(() => {
    if (query === '') {
      setSearch(nothing);
      return undefined;
    }
    const aborter = new AbortController();
    setSearch((seen) => ({ ...seen, state: 'searching' }));
    const timer = setTimeout(async () => {
      try {
        const groups = await searchRecords(query, aborter.signal);
        if (!aborter.signal.aborted) setSearch({ query, groups, state: 'done' });
      } catch {
        if (!aborter.signal.aborted) setSearch({ query, groups: [], state: 'failed' });
      }
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [query]);
  return search;
};

const run = ({ path, run: act }: Item): void => {
  document.querySelector<HTMLDialogElement>('#palette')?.close();
  if (path !== undefined) location.assign(path);
  else void act?.();
};

const toId = ({ id }: Item): string => `hit ${id}`.replaceAll(' ', '-');

const Option = ({
  item,
  isSelected,
  onSelect,
}: {
  readonly item: Item;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a combobox are those of its input
  // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
  <div
    role="option"
    id={toId(item)}
    aria-selected={isSelected}
    onClick={() => run(item)}
    onPointerMove={onSelect}
  >
    <i class={`i-${item.icon}`} />
    <span class="cut" dir="auto">
      {item.label}
    </span>
    {item.about && <span class="cut mute small">{item.about}</span>}
    {item.keys?.map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </div>
);

const Status = ({ query, search, count }: { query: string; search: Search; count: number }) => {
  if (search.state === 'failed') return <p class="note warn">{shellTexts.paletteFailed}</p>;
  if (count > 0) return <p class="vh">{query === '' ? '' : texts.count(count)}</p>;
  return <p class="none">{search.state === 'searching' ? texts.searching : texts.none(query)}</p>;
};

const Palette = () => {
  const [input, setInput] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const query = input.trim();
  const search = useRecords(query);
  const groups = [...findCommands(query), ...search.groups].filter(({ items }) => items.length > 0);
  const items = groups.flatMap((group) => group.items);
  const selected = items[Math.min(at, items.length - 1)];
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected?.id]);

  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setAt((at + 1) % items.length),
    ArrowUp: () => setAt((Math.min(at, items.length) - 1 + items.length) % items.length),
    PageDown: () => setAt(items.length - 1),
    PageUp: () => setAt(0),
    Enter: () => selected && run(selected),
  };
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step || event.isComposing || items.length === 0) return;
    event.preventDefault();
    step();
  };
  return (
    <>
      <div class="ask">
        <i class="i-search l" />
        <input
          class="bare"
          role="combobox"
          aria-expanded="true"
          aria-controls="hits"
          aria-autocomplete="list"
          aria-activedescendant={selected && toId(selected)}
          aria-label={texts.placeholder}
          placeholder={texts.placeholder}
          autocomplete="off"
          spellcheck={false}
          ref={field}
          value={input}
          onInput={(event) => {
            setInput(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <kbd>Esc</kbd>
      </div>
      <div id="hits" role="listbox" aria-label={texts.results} ref={list}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset may not be in a listbox
          <div key={group.label} role="group" aria-label={group.label}>
            <p aria-hidden="true">{group.label}</p>
            {group.items.map((item) => (
              <Option
                key={item.id}
                item={item}
                isSelected={item === selected}
                onSelect={() => setAt(items.indexOf(item))}
              />
            ))}
          </div>
        ))}
      </div>
      <div role="status">
        <Status query={query} search={search} count={items.length} />
      </div>
      <footer aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {texts.move}
        </span>
        <span>
          <kbd>↵</kbd> {texts.open}
        </span>
        <span class="end">
          <kbd>{commandKey}</kbd> <kbd>K</kbd> {texts.anywhere}
        </span>
      </footer>
    </>
  );
};

const fillPalette = (palette: HTMLElement): void => render(<Palette />, palette);

const clearPalette = (palette: HTMLElement): void => {
  render(null, palette);
  forgetShares();
};

/** How the shell’s dialogs are filled while they are open, and emptied, by their ids. */
export const dialogs = {
  palette: { fill: fillPalette, clear: clearPalette },
  keys: { fill: fillKeys, clear: clearKeys },
} as const;
