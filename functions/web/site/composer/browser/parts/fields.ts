import { editor, setLanguage } from './content.ts';
import type { Snapshot } from './draft.ts';
import { fields as controls, getValue, setValue } from './elements.ts';
import { noteSealed } from './sealing/sealed.ts';

export const textFields: readonly string[] = ['title', 'description', 'language', 'files'];

/** Without the password and the passphrase, which are never stored. */
export const allFields: readonly string[] = [...controls.keys()].filter(
  (name) => !/^pass(word|phrase)$/.test(name),
);

/** Returns the values of the form, without the password and the passphrase. */
export const takeSnapshot = (names = allFields): Snapshot => ({
  content: editor.getText(),
  fields: Object.fromEntries(
    names.map((name) => {
      const control = controls.get(name);
      return [name, control ? getValue(control) : ''];
    }),
  ),
});

/** Returns whether two snapshots differ in the content or one of these fields. */
export const differ = (one: Snapshot, other: Snapshot, names = allFields): boolean =>
  one.content !== other.content || names.some((name) => one.fields[name] !== other.fields[name]);

/** Fills the fields of the form, except the content. */
export const fillFields = (values: Snapshot['fields'], names = allFields): void => {
  for (const name of names) {
    const value = values[name];
    const control = controls.get(name);
    if (value === undefined || !control) continue;
    setValue(control, value);
    if (name === 'language') setLanguage(value === 'html' ? 'html' : 'markdown');
  }
  noteSealed();
};
