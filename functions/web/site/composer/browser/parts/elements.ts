const find = <E extends Element>(id: string, kind: abstract new () => E): E => {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no such element: ${id}`);
  return found;
};

/** Finds an element of the page by its id. */
export const byId = (id: string): HTMLElement => find(id, HTMLElement);

export const form = find('composer', HTMLFormElement);
export const area = find('share-content', HTMLTextAreaElement);
export const contentError = byId('share-content-wrong');
export const preview = byId('preview');
export const options = byId('options');
export const more = find('more', HTMLDetailsElement);
export const shareButton = find('send', HTMLButtonElement);
export const discardButton = find('discard', HTMLButtonElement);
export const progress = find('progress', HTMLProgressElement);
export const fileInput = find('file', HTMLInputElement);

export type Control = HTMLInputElement | HTMLSelectElement;

/** All controls of the form but the content, by their names, which are those of the API where it has them. */
export const fields: ReadonlyMap<string, Control> = new Map(
  [...form.querySelectorAll<Control>('input[name]:not([type=radio]), select[name]')].map((one) => [
    one.name,
    one,
  ]),
);

const isSwitch = (control: Control): control is HTMLInputElement => control.type === 'checkbox';

/** Returns the value of a control; that of a switch is `1`, or empty. */
export const getValue = (control: Control): string => {
  if (!isSwitch(control)) return control.value;
  return control.checked ? '1' : '';
};

/** Sets the value of a control. */
export const setValue = (control: Control, value: string): void => {
  if (isSwitch(control)) control.checked = value !== '';
  else control.value = value;
};

/** The controls of options of a share. */
export const optionControls = [...form.querySelectorAll<Control>('[data-kind]')];

/** Controls that more is done with than to read and fill them. */
export const controls = {
  title: find('share-title', HTMLInputElement),
  fileTitle: find('share-fileTitle', HTMLInputElement),
  language: find('share-language', HTMLInputElement),
  files: find('share-files', HTMLInputElement),
  audience: find('share-audience', HTMLInputElement),
  readers: find('share-readers', HTMLInputElement),
  hasPassword: find('has-password', HTMLInputElement),
  passwordMode: find('share-passwordMode', HTMLInputElement),
  password: find('share-password', HTMLInputElement),
  viewLimit: find('share-viewLimit', HTMLInputElement),
  slug: find('share-slug', HTMLInputElement),
  burn: find('burn', HTMLInputElement),
  expires: find('share-expires', HTMLSelectElement),
  expiresAt: find('share-expiresAt', HTMLInputElement),
  sealed: find('share-sealed', HTMLInputElement),
  hasPassphrase: find('share-hasPassphrase', HTMLInputElement),
  passphrase: find('share-passphrase', HTMLInputElement),
  showsRevisions: find('share-showsRevisions', HTMLInputElement),
  embedOrigins: find('share-embedOrigins', HTMLInputElement),
} as const;
