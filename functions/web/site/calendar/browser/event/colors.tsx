import type { Form } from '../../../../browser/data/form.ts';
import { eventFormTexts as texts } from './texts.ts';
import type { EventValues } from './values.ts';

const known: Readonly<Record<string, string>> = texts.colors;

/** The color of an event. One that none of these is stays until another is chosen. */
export const Colors = ({ form }: { readonly form: Form<EventValues> }) => {
  const { color } = form.values.value;
  const own = color !== '' && !Object.hasOwn(known, color) ? { [color]: texts.ownColor } : {};
  const choices = Object.entries({ '': texts.noColor, ...known, ...own });
  return (
    <fieldset class="field">
      <legend>{texts.fields.color}</legend>
      <div class="colors">
        {choices.map(([value, label]) => (
          <label key={value} title={label}>
            <input
              type="radio"
              name="color"
              aria-label={label}
              value={value}
              checked={value === color}
              onChange={() => form.set('color', value)}
            />
            <span class="swatch" style={value === '' ? {} : { background: value }} />
          </label>
        ))}
      </div>
    </fieldset>
  );
};
