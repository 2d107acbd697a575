import { unreachable } from '../../../../browser/client/api-error.ts';
import { orReload } from '../../../../browser/shell/reload.ts';
import { contentError, controls, fileInput, form } from './elements.ts';

type FilesPart = typeof import('./share-files/share-files.tsx');

/** Loads what takes files, because most texts are written here, and runs it. */
export const withFiles = async (run: (part: FilesPart) => unknown): Promise<void> => {
  const part = await orReload(import('./share-files/share-files.tsx')).catch(() => undefined);
  if (part) await run(part);
  else contentError.textContent = unreachable(undefined).message;
};

/** Brings back the files that a draft has. */
export const resumeFiles = (): void => {
  if (controls.files.value !== '') void withFiles((part) => part.resumeFiles());
};

/** Takes files from a drop or the clipboard. Folders can be read of the event only. */
const takeFrom = (event: Event, data: DataTransfer | null): void => {
  const found = [...(data?.items ?? [])].flatMap((item) => {
    const entry = item.webkitGetAsEntry();
    return (entry?.isDirectory ? entry : item.getAsFile()) ?? [];
  });
  if (found.length === 0) return;
  event.preventDefault();
  event.stopPropagation();
  if (!form.hidden) void withFiles((part) => part.takeFiles(found, event));
};

/** Takes files that are chosen, dropped or pasted. */
export const startFiles = (): void => {
  for (const button of document.querySelectorAll<HTMLElement>('[data-opens]')) {
    button.addEventListener('click', () => {
      button.closest<HTMLElement>('[popover]')?.hidePopover();
      // There is nothing yet to add them to.
      if (form.hidden) return;
      if (button.dataset['opens'] === 'file') fileInput.click();
      else void withFiles((part) => part.takeFolder());
    });
  }
  fileInput.addEventListener('change', async (event) => {
    const files = [...(fileInput.files ?? [])];
    // Allows choosing the same files again.
    fileInput.value = '';
    await withFiles((part) => part.takeFiles(files, event));
  });
  document.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (form.classList.contains('dropping')) return;
    form.classList.add('dropping');
    void withFiles((part) => part.showDropTarget());
  });
  const endDrop = () => form.classList.remove('dropping');
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) endDrop();
  });
  // Before the editor, which would insert the text of a file.
  const options = { capture: true };
  const drop = (event: DragEvent) => {
    endDrop();
    takeFrom(event, event.dataTransfer);
  };
  document.addEventListener('drop', drop, options);
  form.addEventListener(
    'paste',
    (event) => {
      const { clipboardData: data } = event;
      // Office programs put an image of the copied text beside it.
      if (!data?.types.includes('text/html')) takeFrom(event, data);
    },
    options,
  );
};
