import { useEffect, useRef } from 'preact/hooks';
import { isWider, maxReaders } from '../../../../../../../shared/permissions/audiences.ts';
import { formatNumber } from '../../../../../browser/data/format.ts';
import { isYourself } from '../../../../../browser/people/directory.ts';
import { PersonSearch } from '../../../../../browser/people/person-search.tsx';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { peopleTexts as texts } from '../../../people-texts.ts';
import { chosen } from '../options.ts';
import { isSearchWanted, peopleError, setPeople } from './audience.ts';
import css from './people-search.css?text';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

const canShareWithAll =
  signedIn?.audience.membersKnown && !isWider('members', signedIn.audience.max);

/** Chooses the people who can open the share. */
export const PeopleSearch = () => {
  const place = useRef<HTMLDivElement>(null);
  const { people } = chosen.value;
  useEffect(() => {
    if (!isSearchWanted.value) return;
    isSearchWanted.value = false;
    place.current?.querySelector('input')?.focus();
  }, [isSearchWanted.value]);
  return (
    <div ref={place} class="sub-pick">
      <PersonSearch
        label={texts.add}
        isLabelHidden
        hint={texts.hint(formatNumber(people.length), formatNumber(maxReaders))}
        error={peopleError.value}
        chosen={people}
        room={maxReaders - people.length}
        full={texts[canShareWithAll ? 'fullOrEveryone' : 'full'](formatNumber(maxReaders))}
        whyNot={isYourself}
        onAdd={(added) => setPeople([...people, ...added])}
        onRemove={(person) => setPeople(people.filter(({ id }) => id !== person.id))}
      />
    </div>
  );
};
