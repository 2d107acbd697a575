import type { ComponentChildren } from 'preact';
import type { Form } from '../data/form.ts';
import { useUniqueId } from '../data/unique-id.ts';

/** The names of the fields whose values are of a type. */
type NameOf<Values, Type> = {
  [Name in keyof Values]-?: Values[Name] extends Type ? Name : never;
}[keyof Values] &
  string;

interface LabeledProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  /** Renders the control with what connects it to its label, hint and error. */
  readonly children: (attributes: {
    readonly id: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string;
  }) => ComponentChildren;
}

/** A control with a label above it, and a hint or an error below. */
export const Labeled = ({ label, hint, error, children }: LabeledProps) => {
  const id = useUniqueId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': error !== undefined,
        'aria-describedby': `${id}-error ${id}-hint`,
      })}
      <p class="err" id={`${id}-error`} aria-live="polite">
        {error}
      </p>
      {hint !== undefined && error === undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};

interface FieldProps<Values, Type> {
  readonly form: Form<Values>;
  readonly name: NameOf<Values, Type>;
  readonly label: string;
  readonly hint?: ComponentChildren;
}

interface TextFieldProps<Values> extends FieldProps<Values, string> {
  readonly type?:
    | 'text'
    | 'email'
    | 'password'
    | 'tel'
    | 'number'
    | 'date'
    | 'time'
    | 'datetime-local';
  readonly maxLength?: number;
  readonly min?: string | number;
  readonly max?: string | number;
  readonly step?: string | number;
  /** Turns off capitalization and spell checking, such as for usernames. */
  readonly isCode?: boolean;
  readonly inputMode?: 'decimal';
  /** Values to choose from; others can be typed. */
  readonly suggestions?: readonly string[];
  readonly onFocus?: () => unknown;
  readonly autocomplete?:
    | 'off'
    | 'name'
    | 'nickname'
    | 'email'
    | 'tel'
    | 'current-password'
    | 'new-password';
  readonly disabled?: boolean;
}

/** A field of one line. */
export const TextField = <Values extends object>(props: TextFieldProps<Values>) => {
  const { form, name, label, hint, isCode = false, suggestions, ...attributes } = props;
  return (
    <Labeled label={label} hint={hint} error={form.errors.value[name]}>
      {(connections) => (
        <>
          <input
            class="in"
            {...(attributes as object)}
            {...(isCode && { autocapitalize: 'none', spellcheck: false })}
            {...((suggestions ? { list: `${connections.id}-list` } : {}) as object)}
            {...connections}
            name={name}
            value={form.values.value[name] as string}
            onInput={({ currentTarget }) =>
              form.set(name, currentTarget.value as Values[typeof name])
            }
            onBlur={() => form.check(name)}
          />
          {suggestions && (
            <datalist id={`${connections.id}-list`}>
              {suggestions.map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Labeled>
  );
};

interface TextAreaProps<Values> extends FieldProps<Values, string> {
  readonly rows?: number;
  readonly maxLength?: number;
}

/** A field of several lines. */
export const TextArea = <Values extends object>(props: TextAreaProps<Values>) => {
  const { form, name, label, hint, rows = 4, maxLength } = props;
  return (
    <Labeled label={label} hint={hint} error={form.errors.value[name]}>
      {(connections) => (
        <textarea
          class="in"
          dir="auto"
          {...connections}
          name={name}
          rows={rows}
          {...(maxLength !== undefined && { maxLength })}
          value={form.values.value[name] as string}
          onInput={({ currentTarget }) =>
            form.set(name, currentTarget.value as Values[typeof name])
          }
          onBlur={() => form.check(name)}
        />
      )}
    </Labeled>
  );
};

interface SelectFieldProps<Values> extends FieldProps<Values, string> {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly disabled?: boolean;
}

/** A choice of several values. */
export const SelectField = <Values extends object>(props: SelectFieldProps<Values>) => {
  const { form, name, label, hint, options, disabled = false } = props;
  return (
    <Labeled label={label} hint={hint} error={form.errors.value[name]}>
      {(connections) => (
        <select
          class="in"
          {...connections}
          name={name}
          disabled={disabled}
          value={form.values.value[name] as string}
          onChange={({ currentTarget }) =>
            form.set(name, currentTarget.value as Values[typeof name])
          }
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labeled>
  );
};

/** A choice between on and off. */
export const SwitchField = <Values extends object>(props: FieldProps<Values, boolean>) => {
  const { form, name, label, hint } = props;
  return (
    <label class="opt">
      <input
        type="checkbox"
        class="switch"
        name={name}
        checked={form.values.value[name] as boolean}
        onChange={({ currentTarget }) =>
          form.set(name, currentTarget.checked as Values[typeof name])
        }
      />
      <span>
        {label}
        {hint !== undefined && <span class="hint blk">{hint}</span>}
      </span>
    </label>
  );
};
