import { Button } from '../../../../browser/components/button.tsx';
import type { Form } from '../../../../browser/data/form.ts';
import { eventFormTexts as texts } from './texts.ts';
import { describeReminder } from './times.ts';
import type { EventValues } from './values.ts';

/** Minutes before the start. */
const choices = [0, 5, 10, 15, 30, 60, 120, 1_440, 2_880, 10_080];
const maxReminders = 5;

/** When one is reminded of an event. */
export const Reminders = ({ form }: { readonly form: Form<EventValues> }) => {
  const { reminders } = form.values.value;
  const set = (next: readonly number[]) =>
    form.set(
      'reminders',
      next.toSorted((a, b) => a - b),
    );
  return (
    <fieldset class="field">
      <legend>{texts.fields.reminders}</legend>
      {reminders.length > 0 && (
        <ul class="chips">
          {reminders.map((minutes) => (
            <li key={minutes}>
              {describeReminder(minutes)}
              <Button
                kind="ghost"
                size="sm"
                icon="x"
                label={texts.removeReminder(describeReminder(minutes))}
                onClick={() => set(reminders.filter((one) => one !== minutes))}
              />
            </li>
          ))}
        </ul>
      )}
      {reminders.length < maxReminders && (
        <select
          class="in"
          aria-label={texts.addReminder}
          value=""
          onChange={({ currentTarget }) => {
            if (currentTarget.value === '') return;
            set([...reminders, Number(currentTarget.value)]);
            currentTarget.value = '';
          }}
        >
          <option value="">{texts.addReminder}</option>
          {choices
            .filter((minutes) => !reminders.includes(minutes))
            .map((minutes) => (
              <option key={minutes} value={minutes}>
                {describeReminder(minutes)}
              </option>
            ))}
        </select>
      )}
      <p class="err" aria-live="polite">
        {form.errors.value.reminders}
      </p>
    </fieldset>
  );
};
