import { startFormatBar } from '../../../../browser/editor/format-bar.ts';
import { editor, language, setLanguage } from './content.ts';
import { byId, form } from './elements.ts';
import { noteChange } from './state.ts';

/** What the page shows: text and preview side by side, or one of them. */
type View = 'split' | 'write' | 'preview';

const bar = byId('tools');

const setPressed = (id: string, isPressed: boolean): void => {
  byId(id).ariaPressed = String(isPressed);
};

const narrow = matchMedia('(max-width: 45rem)');

const showView = (view: View): void => {
  form.dataset['view'] = view;
  setPressed('split', view === 'split');
  setPressed('show-preview', view === 'preview');
};

const toggleFull = (): void => {
  const isFull = form.classList.toggle('full');
  setPressed('full', isFull);
};

/** Shows which language is chosen. */
const showLanguage = (): void => {
  for (const name of ['markdown', 'html'] as const) setPressed(name, language.value === name);
};

/** Starts the toolbar. */
export const startToolbar = (): void => {
  startFormatBar(bar, { editor, getLanguage: () => language.value });
  for (const name of ['markdown', 'html'] as const) {
    byId(name).addEventListener('click', () => {
      setLanguage(name);
      noteChange();
    });
  }
  language.subscribe(showLanguage);
  byId('split').addEventListener('click', () =>
    showView(form.dataset['view'] === 'split' ? 'write' : 'split'),
  );
  byId('show-preview').addEventListener('click', () =>
    showView(form.dataset['view'] === 'preview' ? 'write' : 'preview'),
  );
  byId('full').addEventListener('click', toggleFull);
  const showDefault = () => showView(narrow.matches ? 'write' : 'split');
  narrow.addEventListener('change', showDefault);
  showDefault();
  addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented && form.classList.contains('full')) toggleFull();
  });
};
