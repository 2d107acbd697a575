/** Opens the dialog of the shortcuts, which `palette-dialog.ts` fills. */
export const showKeys = (): void => {
  const dialog = document.querySelector<HTMLDialogElement>('#keys');
  if (dialog && !dialog.open) dialog.showModal();
};
