import { Avatar } from '../../../../browser/components/avatar.tsx';
import { formatList } from '../../../../browser/data/format.ts';
import { talkTexts } from '../../talk-texts.ts';
import { messagesTexts as texts } from '../../texts.ts';
import { splitNames } from './audience.ts';
import type { Person } from './participants.ts';

const maxFaces = 3;

/** The initials of the first people of a conversation. */
export const Faces = ({ people }: { readonly people: readonly Person[] }) => (
  <span class="faces">
    {people.slice(0, maxFaces).map(({ id, name }) => (
      <Avatar key={id} name={name} />
    ))}
  </span>
);

/** Says who takes part in a conversation. A button lists those for whom the line has no room. */
export const People = ({ people }: { readonly people: readonly Person[] }) => {
  if (people.length === 0) return <p class="small mute cut">{talkTexts.onlyYou}</p>;
  const { named, rest } = splitNames([texts.you, ...people.map(({ name }) => name)]);
  if (rest.length === 0) return <p class="small mute cut">{formatList(named)}</p>;
  return (
    <p class="small mute people">
      <span class="cut">{named.join(', ')}</span>
      <button
        type="button"
        onClick={async () => (await import('./people-dialog.tsx')).openPeople(people)}
      >
        {talkTexts.andMore(rest.length)}
      </button>
    </p>
  );
};
