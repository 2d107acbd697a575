import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Avatar } from '../../../../browser/components/avatar.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { firstName } from '../../../../browser/data/format.ts';
import { formatAge } from '../../../../browser/shell/relative-time.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { conflictTexts as texts } from '../../conflict-texts.ts';
import css from './conflict.css?text';
import { countDifferences, Version } from './conflict-lines.tsx';
import { compare, mergeBoth, mergeTitles } from './merge.ts';
import { type Conflict, keepBoth, keepMine, keepTheirs } from './saving.ts';

// In the script, so that the page loads nothing of it before.
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

/** What the view says of who has changed the document. */
const nameOther = ({ editedBy, editedAt }: Conflict['theirs']) => {
  const age = formatAge(editedAt);
  if (editedBy && editedBy.id !== signedIn?.user.id) {
    const short = firstName(editedBy.name);
    return {
      name: editedBy.name,
      age,
      title: texts.changedBy(editedBy.name, age),
      version: texts.theirVersion(short),
      label: texts.theirs(short),
      use: texts.useTheirs(short),
    };
  }
  const title = editedBy ? texts.changedByYou(age) : texts.changedBySomeone(age);
  const { someonesVersion: version, someones: label, useSaved: use } = texts;
  return { name: editedBy?.name ?? '', age, title, version, label, use };
};

/** Moves the view to a difference and marks it, in both versions. */
const showDifference = (view: HTMLElement | null, at: number): void => {
  for (const line of view?.querySelectorAll('[data-place]') ?? []) {
    line.classList.toggle('now', line.getAttribute('data-place') === String(at));
  }
  view?.querySelector(`[data-place="${at}"]`)?.scrollIntoView({ block: 'center' });
};

/** Both versions of what two people have changed, what differs, and what can be done. */
export const ConflictView = ({ conflict }: { readonly conflict: Conflict }) => {
  const { mine, theirs, base } = conflict;
  const view = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const at = useSignal(0);
  const { parts, merged } = useMemo(() => {
    const compared = compare(base?.content, mine.content, theirs.content ?? '');
    return { parts: compared, merged: mergeBoth(compared) };
  }, [conflict]);
  const areTitlesSame = mine.title === theirs.title;
  const isTitleOfBoth =
    !areTitlesSame && base?.title !== mine.title && base?.title !== theirs.title;
  const count = countDifferences(parts) + (areTitlesSame ? 0 : 1);
  const other = nameOther(theirs);
  const isMerge = merged.overlapAt === undefined && !isTitleOfBoth;

  const move = (step: number) => {
    if (count === 0) return;
    at.value = (at.value + step + count) % count;
    showDifference(view.current, at.value);
  };
  useEffect(() => {
    heading.current?.focus();
    showDifference(view.current, 0);
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey) return;
      if (!view.current?.contains(event.target as Node) || !['n', 'p'].includes(key)) return;
      event.preventDefault();
      move(key === 'n' ? 1 : -1);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [conflict]);

  const takeBoth = () => {
    const title = mergeTitles(base?.title, mine.title, theirs.title);
    const values = { title, content: merged.text };
    return keepBoth(values, isMerge ? undefined : (merged.overlapAt ?? 0));
  };
  const shared = { parts, titles: { mine: mine.title, theirs: theirs.title } };
  return (
    <section class="conf" ref={view} aria-label={other.title}>
      <header>
        <Avatar name={other.name} />
        <div class="grow">
          <h2 ref={heading} tabIndex={-1}>
            {other.title}
          </h2>
          <p class="sub small">{texts.differ(count)}</p>
        </div>
        <span class="small mute num" role="status">
          {texts.difference(at.value + 1, count)}
        </span>
        <Button kind="ghost" icon="left" label={texts.previous} onClick={() => move(-1)} />
        <Button kind="ghost" icon="right" label={texts.next} onClick={() => move(1)} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      {/* biome-ignore lint/a11y/useSemanticElements: it is no fieldset */}
      <div class="vs" tabIndex={0} role="group" aria-label={texts.both}>
        <Version
          whose="mine"
          label={texts.yourVersion}
          name={signedIn?.user.name ?? ''}
          heading={texts.yours}
          state={texts.notSavedYet}
          {...shared}
        />
        <Version
          whose="theirs"
          label={other.version}
          name={other.name}
          heading={other.label}
          state={texts.savedAt(other.age)}
          {...shared}
        />
      </div>
      <footer>
        <span class="small sub hide-s grow">
          {isMerge ? texts.keepBothMerges : texts.keepBothHint}
        </span>
        <Button onClick={keepMine}>{texts.useMine}</Button>
        <Button onClick={keepTheirs}>{other.use}</Button>
        <Button kind="primary" onClick={takeBoth}>
          {texts.keepBoth}
        </Button>
      </footer>
    </section>
  );
};
