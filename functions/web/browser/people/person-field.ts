import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatList } from '../data/format.ts';
import { hasCommandKey } from '../shell/platform.ts';
import { type FoundPerson, most, type PeopleSource } from './directory.ts';
import { findList, splitList } from './pasted-people.ts';
import { usePeopleQuery } from './people-query.ts';
import type { Hit } from './person-hits.tsx';
import { peopleTexts as texts } from './texts.ts';

/** What a page says about the people whom a field chooses. */
export interface PersonFieldProps {
  /** Shown as chips. Without it, the page itself lists them. */
  readonly chosen?: readonly FoundPerson[];
  /** How many more can be added. */
  readonly room: number;
  /** Says that there is no room. By default, of a choice of one. */
  readonly full?: string;
  /** Returns in a word or two why someone can’t be picked, apart from those chosen. */
  readonly whyNot?: (person: FoundPerson) => string | undefined;
  readonly onAdd: (people: readonly FoundPerson[]) => unknown;
  readonly onRemove?: (person: FoundPerson) => unknown;
}

/** How many entries of a pasted list a message names. */
const mostNamed = 3;

const name = (entries: readonly string[]): string => formatList(entries.slice(0, mostNamed));

/** Returns those of a list who aren’t in another. */
const leaveOut = (all: readonly FoundPerson[], others: readonly FoundPerson[]) =>
  all.filter(({ id }) => !others.some((other) => other.id === id));

/** The state of a field that finds people, and what its keys do. */
export const usePersonField = (source: PeopleSource, props: PersonFieldProps) => {
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { chosen, room, full = texts.onlyOne, onRemove } = props;
  const text = useSignal('');
  const isOpen = useSignal(false);
  const activeId = useSignal<number | undefined>(undefined);
  const isArmed = useSignal(false);
  const problem = useSignal('');
  const said = useSignal('');
  /** How many pasted people are being looked for. */
  const looking = useSignal(0);
  /** Whether the text was typed: what is left of a pasted list is no search. */
  const isTyped = useSignal(false);
  /** The text for which Enter was pressed before there was an answer. */
  const awaited = useRef('');
  /** Whether the user took someone out. The page does, too, such as once it has shared with them. */
  const isRemoving = useRef(false);

  const search = useComputed(() => text.value.trim()).value;
  const isFull = room <= 0;
  const isSearch = search !== '' && isTyped.value && !isFull;
  const isEnough = source.isEnough(search);
  const query = usePeopleQuery(source, isSearch && isEnough ? search : '');
  const explain = (person: FoundPerson): string | undefined => {
    const { chosen: already, whyNot } = latest.current;
    if (already?.some(({ id }) => id === person.id)) return texts.added;
    return whyNot?.(person);
  };
  const hits = query.found
    ?.slice(0, most)
    .map((person): Hit => ({ person, whyNot: explain(person) }));
  const open = hits?.flatMap(({ person, whyNot }) => (whyNot === undefined ? [person] : [])) ?? [];
  const active = open.find(({ id }) => id === activeId.value) ?? open[0];
  const isShown =
    looking.value > 0 || (isOpen.value && isSearch && query.failure.value === undefined);

  const write = (next: string, isByUser: boolean) => {
    text.value = next;
    isTyped.value = isByUser;
    isOpen.value = isByUser;
    activeId.value = undefined;
    isArmed.value = false;
    problem.value = '';
    awaited.current = '';
  };
  const add = (people: readonly FoundPerson[]) => {
    const fresh = people.filter((person) => explain(person) === undefined);
    if (fresh.length > 0) latest.current.onAdd(fresh);
  };
  const pick = (person: FoundPerson) => {
    write('', false);
    add([person]);
    input.current?.focus();
  };
  const remove = (person: FoundPerson) => {
    isArmed.value = false;
    isRemoving.current = true;
    onRemove?.(person);
    input.current?.focus();
  };
  const paste = async (event: ClipboardEvent) => {
    const entries = splitList(event.clipboardData?.getData('text/plain') ?? '');
    if (!entries || isFull) return;
    event.preventDefault();
    write(entries.join(', '), false);
    looking.value = entries.length;
    said.value = texts.looking(entries.length);
    const { found, notAddresses, unknown, left, failure } = await findList(source, entries, room);
    looking.value = 0;
    write([...notAddresses, ...unknown, ...left].join(', '), false);
    add(found);
    if (notAddresses.length > 0) problem.value = texts.notAddresses(name(notAddresses));
    else if (unknown.length > 0) problem.value = texts.notFound(name(unknown));
    else if (left.length > 0) problem.value = failure?.message ?? full;
  };

  const step = (by: 1 | -1) => {
    if (!isShown) isOpen.value = true;
    else if (active) {
      const at = open.indexOf(active) + by;
      activeId.value = open.at(at % open.length)?.id;
    }
  };
  const enter = () => {
    if (isShown && active) return pick(active);
    isOpen.value = true;
    if (!isSearch || !isEnough || query.isAnswered) return;
    awaited.current = search;
    query.ask();
  };
  const close = () => {
    isOpen.value = false;
    isArmed.value = false;
    awaited.current = '';
  };
  const removeLast = (event: KeyboardEvent) => {
    const last = chosen?.at(-1);
    // A key held down stops when the text is gone.
    if (!last || text.value !== '' || event.repeat) return;
    if (isArmed.value) remove(last);
    else isArmed.value = true;
  };
  const press = (event: KeyboardEvent) => {
    const { key, isComposing, keyCode } = event;
    // Safari sends the Enter that ends a composition after its end, with this code.
    if (isComposing || keyCode === 229) return;
    if (key === 'Backspace') return removeLast(event);
    const wasArmed = isArmed.value;
    isArmed.value = false;
    if (key === 'Enter' && !hasCommandKey(event)) {
      event.preventDefault();
      enter();
    } else if ((key === 'ArrowDown' || key === 'ArrowUp') && isSearch) {
      event.preventDefault();
      step(key === 'ArrowDown' ? 1 : -1);
    } else if (key === 'Escape' && (isShown || wasArmed)) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };

  useEffect(() => {
    if (!query.isAnswered) return;
    said.value = hits?.length ? texts.found(hits.length) : source.none(search);
    // Whoever types fast means the only one. Of several, the list lets choose.
    if (awaited.current === search && active && open.length === 1) pick(active);
    awaited.current = '';
  }, [query.isAnswered, search]);
  const known = useRef(chosen);
  useEffect(() => {
    const [before = [], after = []] = [known.current, chosen];
    known.current = chosen;
    const added = leaveOut(after, before);
    const [removed] = leaveOut(before, after);
    if (added.length > 0) {
      said.value = texts.wasAdded(formatList(added.map((one) => one.name)), after.length);
    } else if (removed) {
      said.value = isRemoving.current ? texts.wasRemoved(removed.name, after.length) : '';
    }
    isRemoving.current = false;
  }, [chosen]);
  useEffect(() => {
    const form = input.current?.form;
    /** Nothing is sent without someone who was typed and not picked. */
    const refuse = (event: SubmitEvent) => {
      if (text.value.trim() === '') return;
      event.preventDefault();
      event.stopImmediatePropagation();
      input.current?.focus();
      problem.value = texts.notChosen(text.value.trim());
    };
    form?.addEventListener('submit', refuse, { capture: true });
    return () => form?.removeEventListener('submit', refuse, { capture: true });
  }, []);

  return {
    ...{ input, text, search, problem, said, looking, isArmed, isShown, isFull, isEnough },
    ...{ full, query, hits, active, pick, remove, press, paste },
    point: (person: FoundPerson) => {
      activeId.value = person.id;
    },
    type: (next: string) => write(next, true),
    tryAgain: () => {
      isOpen.value = true;
      input.current?.focus();
      query.ask();
    },
    leave: () => {
      close();
      if (search !== '' && problem.value === '') problem.value = texts.notChosen(search);
    },
  };
};
