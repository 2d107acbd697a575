/** A dialog of the shell, which code that is loaded after the page fills while it is open. */
export type ShellDialog = 'palette' | 'keys';

/** Finds a dialog, where there is one. */
export const findShellDialog = (name: ShellDialog): HTMLDialogElement | null =>
  document.querySelector<HTMLDialogElement>(`#${name}`);

/** Opens a dialog, where there is one. */
export const openShellDialog = (name: ShellDialog): void => {
  const dialog = findShellDialog(name);
  if (dialog && !dialog.open) dialog.showModal();
};
