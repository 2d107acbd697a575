import type { Data } from '../../../../../browser/client/endpoints.ts';
import { formatPeople } from '../audience/audience.ts';
import { optionControls, setValue } from '../elements.ts';
import { fillFields } from '../fields.ts';

/** A stored share, with its options by their names. */
export type StoredShare = Extract<Data<'GET /api/share'>, { version: number }>;

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

/** Returns what the fields have for those who can open a stored share. Without people, that is its owner. */
export const toReaders = ({ audience, readerList = [] }: StoredShare) => ({
  audience: audience === 'people' && readerList.length === 0 ? 'private' : audience,
  readers: formatPeople(readerList.map(({ id, name }) => ({ id, name }))),
});

/** Fills the controls with the options of a stored share. */
export const fillOptions = (share: StoredShare): void => {
  const values = toControlValues(share);
  for (const control of optionControls) setValue(control, values[control.name] ?? '');
  fillFields(toReaders(share));
};
