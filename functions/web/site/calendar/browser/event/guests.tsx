import { useSignal } from '@preact/signals';
import { Avatar } from '../../../../browser/components/avatar.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import type { Form } from '../../../../browser/data/form.ts';
import type { FoundPerson } from '../../../../browser/people/directory.ts';
import { UserSearch } from '../../../../browser/people/user-search.tsx';
import { signedIn } from '../../../../browser/shell/session.ts';
import { eventFormTexts as texts } from './texts.ts';
import type { EventValues } from './values.ts';

const maxGuests = 40;

/** Who is invited. */
export const Guests = ({ form }: { readonly form: Form<EventValues> }) => {
  const searches = useSignal(0);
  const { attendees } = form.values.value;
  const ids = new Set([signedIn?.user.id, ...attendees.map(({ id }) => id)]);
  const add = (user: FoundPerson | undefined) => {
    if (!user) return;
    form.set('attendees', [...attendees, { id: user.id, name: user.name }]);
    searches.value += 1;
  };
  const remove = (id: number) =>
    form.set(
      'attendees',
      attendees.filter((one) => one.id !== id),
    );
  const error = form.errors.value.attendees;
  return (
    <fieldset class="field">
      <legend>{texts.fields.attendees}</legend>
      {attendees.length > 0 && (
        <ul class="guests">
          {attendees.map(({ id, name }) => (
            <li class="row" key={id}>
              <Avatar name={name} size="s" />
              <span class="grow small cut" dir="auto">
                {name}
              </span>
              <Button
                kind="ghost"
                size="sm"
                icon="x"
                label={texts.removePerson(name)}
                onClick={() => remove(id)}
              />
            </li>
          ))}
        </ul>
      )}
      {attendees.length >= maxGuests ? (
        <p class="hint">{texts.tooManyPeople}</p>
      ) : (
        <UserSearch
          key={searches.value}
          hint={texts.inviteHint}
          onChoose={add}
          isAllowed={({ id }) => !ids.has(id)}
        />
      )}
      <p class="err" aria-live="polite">
        {error}
      </p>
    </fieldset>
  );
};
