import { signal } from '@preact/signals';
import { keepFragment } from '../../../../../browser/sealed/kept-key.ts';
import { controls, form } from '../elements.ts';

const { sealed, title, fileTitle } = controls;

/** Whether the share is sealed: what is written leaves this page encrypted only. */
export const isSealed = signal(sealed.checked);

/** Takes over whether the share is sealed, whenever its switch was set. */
export const noteSealed = (): void => {
  isSealed.value = sealed.checked;
  form.toggleAttribute('data-sealed', sealed.checked);
  // What a file is called may tell what is to be sealed.
  if (sealed.checked && title.value === fileTitle.value) title.value = '';
};

/** Gives the share the title of its file, unless it has one or is sealed. The draft keeps where the title is from. */
export const takeFileTitle = (found: string): void => {
  if (title.value !== '' || isSealed.value) return;
  title.value = found;
  fileTitle.value = found;
};

/** Takes the key of a stored share out of the address, and keeps it for this tab. Returns whether there was one. */
export const takeFragment = (id: string): boolean => {
  const { hash, pathname, search } = location;
  if (!/^#[kp]\d\./.test(hash)) return false;
  history.replaceState(history.state, '', pathname + search);
  keepFragment(id, hash.slice(1));
  return true;
};

// Before the browser lets a field be typed into: a draft may be sealed again after a reload.
noteSealed();
