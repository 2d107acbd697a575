import { unreachable } from '../../../../browser/client/api-error.ts';
import { orReload } from '../../../../browser/shell/reload.ts';
import { composerTexts as texts } from '../../texts.ts';
import { editor, noteExactText, setLanguage } from './content.ts';
import { contentError, controls, fileInput, form } from './elements.ts';
import { takeSnapshot } from './fields.ts';
import { FileError } from './file.ts';
import { tell } from './notice.ts';
import { noteChange, offerUndo } from './state.ts';

/** Loaded with the first file: most texts are written here. */
const loadReader = () =>
  orReload(import('./file-reading.ts')).catch(() => {
    throw new FileError(unreachable(undefined).message);
  });

/** Replaces the content with that of files. */
const takeFiles = async (files: readonly File[]): Promise<void> => {
  if (files.length === 0) return;
  contentError.textContent = '';
  try {
    const { readFiles } = await loadReader();
    const { name, title: fileTitle, language, text, readAs } = await readFiles(files);
    const before = takeSnapshot();
    editor.setText(text);
    noteExactText(text);
    setLanguage(language);
    const { title } = controls;
    if (title.value === '') title.value = fileTitle;
    noteChange();
    if (before.content !== '') offerUndo(`${texts.replaced(name)} ${readAs}`.trim(), before);
    else tell(readAs);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    contentError.textContent = error.message;
  }
};

const takeFrom = (event: Event, data: DataTransfer | null): boolean => {
  const files = [...(data?.files ?? [])];
  if (files.length === 0) return false;
  event.preventDefault();
  event.stopPropagation();
  if (!form.hidden) void takeFiles(files);
  return true;
};

/** Takes files that are chosen, dropped or pasted. */
export const startFiles = (): void => {
  for (const button of document.querySelectorAll('[data-opens-file]')) {
    button.addEventListener('click', () => fileInput.click());
  }
  fileInput.addEventListener('change', async () => {
    await takeFiles([...(fileInput.files ?? [])]);
    // Allows choosing the same files again.
    fileInput.value = '';
  });
  document.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    form.classList.add('dropping');
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) form.classList.remove('dropping');
  });
  // Before the editor, which would insert the text of a file.
  const options = { capture: true };
  const drop = (event: DragEvent) => {
    form.classList.remove('dropping');
    if (takeFrom(event, event.dataTransfer)) editor.focus();
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
