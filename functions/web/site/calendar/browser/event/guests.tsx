import type { Form } from '../../../../browser/data/form.ts';
import { isYourself } from '../../../../browser/people/directory.ts';
import { PersonSearch } from '../../../../browser/people/person-search.tsx';
import { eventFormTexts as texts } from './texts.ts';
import type { EventValues } from './values.ts';

const maxGuests = 40;

/** Who is invited. */
export const Guests = ({ form }: { readonly form: Form<EventValues> }) => {
  const { attendees } = form.values.value;
  return (
    <PersonSearch
      label={texts.fields.attendees}
      hint={texts.inviteHint}
      error={form.errors.value.attendees}
      chosen={attendees}
      room={maxGuests - attendees.length}
      full={texts.tooManyPeople}
      whyNot={isYourself}
      onAdd={(people) =>
        form.set('attendees', [...attendees, ...people.map(({ id, name }) => ({ id, name }))])
      }
      onRemove={({ id }) =>
        form.set(
          'attendees',
          attendees.filter((one) => one.id !== id),
        )
      }
    />
  );
};
