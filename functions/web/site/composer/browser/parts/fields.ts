import { editor, setLanguage } from './content.ts';
import type { Snapshot } from './draft.ts';
import { type ControlName, controls } from './elements.ts';

export const textFields = ['title', 'description', 'language'] as const;

/** Without the password, which is never stored. */
export const allFields = [
  ...textFields,
  'passwordMode',
  'slug',
  'viewLimit',
  'expires',
  'expiresAt',
  'embedOrigins',
  'notify',
  'readersCanEnd',
  'showsRevisions',
] as const satisfies readonly ControlName[];

/** Returns the values of the form, without the password. */
export const takeSnapshot = (names: readonly ControlName[] = allFields): Snapshot => ({
  content: editor.getText(),
  fields: Object.fromEntries(names.map((name) => [name, controls[name].value])),
});

/** Returns whether two snapshots differ in the content or one of these fields. */
export const differ = (
  one: Snapshot,
  other: Snapshot,
  names: readonly ControlName[] = allFields,
): boolean =>
  one.content !== other.content || names.some((name) => one.fields[name] !== other.fields[name]);

/** Fills the fields of the form, except the content. */
export const fillFields = (
  { fields }: Snapshot,
  names: readonly ControlName[] = allFields,
): void => {
  for (const name of names) {
    const value = fields[name];
    if (value === undefined) continue;
    controls[name].value = value;
    if (name === 'language') setLanguage(value === 'html' ? 'html' : 'markdown');
  }
};
