import { type Format, format } from '../../../../browser/editor/formatting.ts';
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

const act = (button: HTMLElement): void => {
  const name = button.dataset['format'];
  if (name)
    editor.edit(format(name as Format, language.value, editor.getText(), editor.getSelection()));
};

/** Moves the focus within the toolbar, which is one stop of Tab. */
const moveFocus = (event: KeyboardEvent): void => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLButtonElement)) return;
  const buttons = [...bar.querySelectorAll('button')].filter((button) => button.checkVisibility());
  const at = buttons.indexOf(event.target);
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
};

const makeOnlyStop = (stop: Element): void => {
  for (const button of bar.querySelectorAll('button')) button.tabIndex = button === stop ? 0 : -1;
};

/** Starts the toolbar. */
export const startToolbar = (): void => {
  for (const button of bar.querySelectorAll('button')) {
    button.addEventListener('click', () => act(button));
  }
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
  bar.addEventListener('keydown', moveFocus);
  bar.addEventListener(
    'focusin',
    ({ target }) => target instanceof Element && makeOnlyStop(target),
  );
  const first = bar.querySelector('button');
  if (first) makeOnlyStop(first);
  addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented && form.classList.contains('full')) toggleFull();
  });
};
