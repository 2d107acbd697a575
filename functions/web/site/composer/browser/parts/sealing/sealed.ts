import { signal } from '@preact/signals';
import {
  findFragment,
  findKeyFragment,
  keepFragment,
} from '../../../../../browser/sealed/kept-key.ts';
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

/** The key that was in the address, until it has opened the share or not. */
export const taken = signal<string | undefined>(undefined);

/**
 * Takes the key of a stored share out of the address. Returns whether there was one. Unless the tab keeps one, which may be
 * the only copy of the right one, it keeps this: signing in may be first.
 */
export const takeFragment = (id: string): boolean => {
  const { hash, pathname, search } = location;
  if (!/^#[kp]\d\./.test(hash)) return false;
  history.replaceState(history.state, '', pathname + search);
  taken.value = findKeyFragment(hash) ?? hash.slice(1);
  if (findFragment(id) === undefined) keepFragment(id, taken.value);
  return true;
};

// Before the browser lets a field be typed into: a draft may be sealed again after a reload.
noteSealed();
