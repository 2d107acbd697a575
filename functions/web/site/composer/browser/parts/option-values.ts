import type { Data } from '../../../../browser/client/endpoints.ts';
import { type Control, getValue, optionControls, setValue } from './elements.ts';

/** A stored share, with its options by their names. */
export type StoredShare = Extract<Data<'GET /api/share'>, { version: number }>;

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

/** Returns the options as fields of the API. */
export const readOptions = (): object =>
  Object.fromEntries(
    optionControls.map((control) => [
      control.name,
      readers[control.dataset['kind'] ?? '']?.(control),
    ]),
  );

const toText = (value: unknown): string => {
  if (value === true) return '1';
  return Array.isArray(value) ? value.join(' ') : String(value || '');
};

/** Returns what the controls have for the options of a stored share. */
export const toControlValues = (share: StoredShare): Readonly<Record<string, string>> => {
  // A title that follows the content is none of its own.
  const title = share.titleIsGiven ? share.title : null;
  const values: Readonly<Record<string, unknown>> = { ...share, title };
  return Object.fromEntries(optionControls.map(({ name }) => [name, toText(values[name])]));
};

/** Fills the controls with the options of a stored share. */
export const fillOptions = (share: StoredShare): void => {
  const values = toControlValues(share);
  for (const control of optionControls) setValue(control, values[control.name] ?? '');
};
