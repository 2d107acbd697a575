import { type Control, getValue, optionControls } from '../elements.ts';

/** Reads the value of the API from a control, by the kind of its option. */
const readers: Readonly<Record<string, (control: Control) => unknown>> = {
  text: ({ value }) => value.trim() || null,
  // An invalid number reads as empty, which must not remove it.
  count: ({ value, validity }) => {
    if (validity.badInput) return Number.NaN;
    return value === '' ? null : Number(value);
  },
  flag: (control) => getValue(control) !== '',
  list: ({ value }) => value.split(/[\s,]+/).filter(Boolean),
};

/** Whether the service allows an option. A view limit, which is disabled while it is said by another control, is sent. */
const isAllowed = (control: Control): boolean => !control.matches('[data-kind=list]:disabled');

/** Returns the options as fields of the API. */
export const readOptions = (): object =>
  Object.fromEntries(
    optionControls
      .filter(isAllowed)
      .map((control) => [control.name, readers[control.dataset['kind'] ?? '']?.(control)]),
  );
