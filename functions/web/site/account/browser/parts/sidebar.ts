import { getInitials } from '../../../../layout/initials.ts';

/** Shows a changed name of the user in the sidebar. */
export const showUserName = (name: string): void => {
  const [text, initials] = ['.me b', '.me .av'].map((selector) => document.querySelector(selector));
  if (text) text.textContent = name;
  if (initials) initials.textContent = getInitials(name);
};
