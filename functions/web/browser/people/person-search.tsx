import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Failure } from '../components/notice.tsx';
import { useUniqueId } from '../data/unique-id.ts';
import { directory, most, type PeopleSource } from './directory.ts';
import { PersonChip } from './person-chip.tsx';
import { type PersonFieldProps, usePersonField } from './person-field.ts';
import { PersonHits, toOptionId } from './person-hits.tsx';
import css from './person-search.css?text';
import { peopleTexts as texts } from './texts.ts';

// In the script, so that pages load nothing of it before someone searches.
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

interface PersonSearchProps extends PersonFieldProps {
  /** By default, the service’s directory. */
  readonly source?: PeopleSource | undefined;
  readonly label: string;
  /** Whether what is around the field says as much. */
  readonly isLabelHidden?: boolean;
  /** Below the field. */
  readonly hint?: string;
  /** What is wrong with those chosen. */
  readonly error?: string | undefined;
}

interface FieldProps extends PersonSearchProps {
  readonly source: PeopleSource;
}

const Waiting = () => (
  <div class="wait" aria-hidden="true">
    <span class="sk av" />
    <span class="stack grow tg">
      <span class="sk b" />
      <span class="sk a" />
    </span>
  </div>
);

const Keys = () => (
  <footer aria-hidden="true">
    <span>
      <kbd>↑</kbd> <kbd>↓</kbd> {texts.keys.move}
    </span>
    <span>
      <kbd>↵</kbd> {texts.keys.add}
    </span>
    <span>
      <kbd>Esc</kbd> {texts.keys.close}
    </span>
  </footer>
);

const Field = ({ source, label, isLabelHidden, hint = '', error, ...props }: FieldProps) => {
  const { chosen = [] } = props;
  const field = usePersonField(source, props);
  const { input, text, search, full, hits, active, query, isShown } = field;
  const id = useUniqueId();
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const listId = `${id}-hits`;
  const activeId = isShown && active ? toOptionId(listId, active) : undefined;
  const hasOptions = isShown && field.looking.value === 0 && !!hits?.length;
  useLayoutEffect(() => {
    if (isShown) list.current?.showPopover({ source: box.current as HTMLElement });
    else list.current?.hidePopover();
  }, [isShown]);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const last = chosen.at(-1);
  const wrong = error ?? (field.problem.value || (field.isFull && search !== '' ? full : ''));
  const about = field.isFull ? full : [source.hint, hint].filter(Boolean).join(' ');
  const below = wrong || (field.isArmed.value && last ? texts.removesNext(last.name) : about);
  const say = () => {
    if (field.looking.value > 0) return texts.looking(field.looking.value);
    if (!field.isEnough) return texts.notEnough;
    if (query.isAnswered && hits?.length === 0) return source.none(search);
    return hits && hits.length >= most ? texts.onlyFirst(most) : undefined;
  };
  const saying = say();
  return (
    <div class="field people">
      <label for={id} class={isLabelHidden ? 'vh' : undefined}>
        {label}
      </label>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Tab leads to the input */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the pointer finds the input also beside it */}
      <div
        class={wrong ? 'tokens bad' : 'tokens'}
        ref={box}
        onClick={({ target, currentTarget }) => target === currentTarget && input.current?.focus()}
      >
        {chosen.map((person) => (
          <PersonChip
            key={person.id}
            person={person}
            isArmed={field.isArmed.value && person === last}
            onRemove={() => field.remove(person)}
          />
        ))}
        <input
          id={id}
          ref={input}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={hasOptions}
          aria-controls={hasOptions ? listId : undefined}
          aria-activedescendant={hasOptions ? activeId : undefined}
          aria-invalid={wrong !== ''}
          aria-describedby={`${id}-about`}
          placeholder={chosen.length === 0 ? source.placeholder : ''}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          maxLength={200}
          readOnly={field.looking.value > 0}
          value={text.value}
          onInput={({ currentTarget }) => field.type(currentTarget.value)}
          onKeyDown={field.press}
          onPaste={field.paste}
          onBlur={field.leave}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the input keeps the focus */}
      <div class="hits" popover="manual" ref={list} onMouseDown={(event) => event.preventDefault()}>
        {hasOptions && (
          <PersonHits
            id={listId}
            label={label}
            hits={hits}
            search={search}
            active={active}
            onPoint={field.point}
            onPick={field.pick}
          />
        )}
        {isShown && !hits && saying === undefined && <Waiting />}
        {isShown && saying !== undefined && <p class="say">{saying}</p>}
        {hasOptions && chosen.length === 0 && hits.length > 1 && <Keys />}
      </div>
      <p class={wrong ? 'err' : 'hint'} id={`${id}-about`} aria-live="polite">
        {below}
      </p>
      {query.failure.value && <Failure error={query.failure.value} again={field.tryAgain} />}
      <p class="vh" role="status">
        {field.said.value}
      </p>
    </div>
  );
};

/** Those chosen where nobody can be found. */
const Closed = ({ label, chosen = [], onRemove }: PersonSearchProps) => (
  <fieldset class="field people">
    <legend>{label}</legend>
    {chosen.length > 0 && (
      <div class="tokens">
        {chosen.map((person) => (
          <PersonChip
            key={person.id}
            person={person}
            isArmed={false}
            onRemove={() => onRemove?.(person)}
          />
        ))}
      </div>
    )}
    <p class="hint">{texts.off}</p>
  </fieldset>
);

/** Finds people by a combobox and lets some be chosen, or says that nobody can be found. */
export const PersonSearch = ({ source = directory, ...props }: PersonSearchProps) =>
  source ? <Field source={source} {...props} /> : <Closed {...props} />;
