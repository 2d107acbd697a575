import { useEffect, useRef, useState } from 'preact/hooks';
import { containsWords } from '../../../../../../shared/text/fold.ts';
import { Icon } from '../../../../browser/components/icon.tsx';
import { moveByKey } from '../../../../browser/components/menu.tsx';
import { filterTexts as texts } from '../../filter-texts.ts';
import type { documentsTexts } from '../../texts.ts';
import { filterBy, type View } from '../../view.ts';
import { type Choice, type Choices, finders } from './names.ts';
import { url, view } from './state.ts';

/** With more, a field finds the one that is meant. */
const most = 8;
/** How long the user pauses before a request is sent. ms. */
const pauseMs = 150;

export interface FilterMenuProps {
  readonly name: keyof typeof documentsTexts.filters;
  readonly label: string;
  /** What it is, if anything. */
  readonly chosen: string | undefined;
  /** The view without it. */
  readonly none: Partial<View>;
  readonly close: () => unknown;
}

/** Finds choices. */
const useChoices = (find: (search: string) => Promise<Choices>, text: string) => {
  const [all, setAll] = useState<Choices | undefined>();
  const [found, setFound] = useState<(Choices & { readonly of: string }) | undefined>();
  const [failure, setFailure] = useState<string | undefined>();
  const isAsked = text === '' || all?.isWhole === false;
  useEffect(() => {
    if (!isAsked) return;
    let isLatest = true;
    const ask = async () => {
      try {
        const answer = await find(text);
        if (!isLatest) return;
        setFailure(undefined);
        if (text === '') setAll(answer);
        else setFound({ ...answer, of: text });
      } catch (error) {
        if (isLatest) setFailure((error as Error).message);
      }
    };
    const timer = setTimeout(ask, text === '' ? 0 : pauseMs);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [isAsked, text]);
  const isAnswered = text === '' || all?.isWhole === true || found?.of === text;
  const known = text !== '' && found?.of === text ? found : all;
  const choices = known?.choices.filter(({ label }) => text === '' || containsWords(label, text));
  const isMany = all !== undefined && (!all.isWhole || all.choices.length > most);
  return { choices, isMany, isAnswered, hasMore: known?.isWhole === false, failure };
};

/** The menu of what a filter can be. If that is much, a field above finds it. */
export const FilterMenu = ({ name, label, chosen, none, close }: FilterMenuProps) => {
  const [text, setText] = useState('');
  const place = useRef<HTMLDivElement>(null);
  const { choices, isMany, isAnswered, hasMore, failure } = useChoices(finders[name], text.trim());
  const items: readonly (Choice & { readonly isChosen: boolean })[] = [
    ...(text.trim() === ''
      ? [{ label: texts.any[name], filter: none, isChosen: chosen === undefined }]
      : []),
    ...(choices ?? []).map((one) => ({ ...one, isChosen: one.label === chosen })),
  ];
  const focusFirst = () =>
    place.current?.querySelector<HTMLElement>('[role=menuitemradio]')?.focus();
  const choose = ({ filter }: Choice) => {
    close();
    url.change(filterBy(view.value, filter), 'push');
  };
  const press = (event: KeyboardEvent) => {
    const [first] = items;
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      focusFirst();
    } else if (event.key === 'Enter' && !event.isComposing && isAnswered && first && text.trim()) {
      event.preventDefault();
      choose(first);
    }
  };
  useEffect(focusFirst, []);
  useEffect(() => {
    // On a touchscreen, its keyboard would hide what can be chosen.
    if (isMany && matchMedia('(hover: hover)').matches) {
      place.current?.querySelector('input')?.focus();
    }
  }, [isMany]);
  return (
    <div ref={place}>
      {isMany && (
        <input
          class="in"
          type="search"
          aria-label={texts.find[name]}
          placeholder={texts.find[name]}
          autocomplete="off"
          maxLength={100}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={press}
        />
      )}
      <div
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={(event) => (event.key === 'Tab' ? close() : moveByKey(event))}
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitemradio"
            aria-checked={item.isChosen}
            tabIndex={-1}
            onClick={() => choose(item)}
          >
            <Icon name="check" />
            {item.label}
          </button>
        ))}
      </div>
      {failure !== undefined && <p class="small">{failure}</p>}
      <p class="small mute" role="status">
        {isAnswered && choices?.length === 0 && text !== '' && texts.nothingFound}
        {hasMore && text === '' && texts.findOthers}
      </p>
    </div>
  );
};
