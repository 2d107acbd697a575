import { useEffect, useRef } from 'preact/hooks';
import { formatBytes } from '../../../../../../../shared/text/format-bytes.ts';
import { Avatar } from '../../../../../browser/components/avatar.tsx';
import { Button } from '../../../../../browser/components/button.tsx';
import { Empty } from '../../../../../browser/components/empty.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { formatTime } from '../../../../../browser/data/format.ts';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { revisionsTexts as texts } from '../../../revisions-texts.ts';
import { url } from '../url.ts';
import { Changes } from './changes.tsx';
import css from './revisions.css?text';
import { choose, close, getChosen, list, load, type Revision } from './state.ts';

// In the script, so that the page loads nothing of it before.
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

const nameOf = ({ editedBy }: Revision): string => {
  if (!editedBy) return texts.someone;
  return editedBy.id === signedIn?.user.id ? texts.you : editedBy.name;
};

const Entry = ({ revision }: { readonly revision: Revision }) => {
  const { version, editedBy, editedAt, size } = revision;
  return (
    <li>
      <button
        type="button"
        data-version={version}
        aria-current={getChosen() === version ? 'true' : undefined}
        onClick={() => choose(version)}
      >
        <Avatar name={editedBy?.name ?? ''} />
        <span class="stack">
          <b dir="auto">{nameOf(revision)}</b>
          <span class="tiny mute num">
            <time dateTime={editedAt}>{formatTime(editedAt)}</time> · {formatBytes(size)}
          </span>
        </span>
      </button>
    </li>
  );
};

/** Former contents of the document, what has changed since one of them, and the way back to it. */
export const RevisionsView = () => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    void load();
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector(':popover-open, dialog[open]')) return;
      event.preventDefault();
      close();
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      document.querySelector<HTMLElement>('#document-actions button')?.focus();
    };
  }, []);
  const { revisions } = url.view.value;
  return (
    <section class="revs" aria-label={texts.heading}>
      <header>
        <div class="grow">
          <h2 ref={heading} tabIndex={-1}>
            {texts.heading}
          </h2>
          <p class="sub small">{texts.kept}</p>
        </div>
        <Button onClick={close}>{texts.close}</Button>
      </header>
      <Loaded source={list} lines={6}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={texts.none} text={texts.noneText} />
          ) : (
            <div
              class="both"
              data-shown={all.some(({ version }) => version === revisions) ? 'one' : 'all'}
            >
              <ol>
                {all.map((one) => (
                  <Entry key={one.version} revision={one} />
                ))}
              </ol>
              <Changes all={all} />
            </div>
          )
        }
      </Loaded>
    </section>
  );
};
