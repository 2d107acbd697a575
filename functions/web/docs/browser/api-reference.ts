import { enableCodeCopies } from '../../browser/code-blocks.ts';
import { followScroll } from './navigation/follow-scroll.ts';
import { enableSearch } from './navigation/search.ts';
import { referenceScriptTexts as texts } from './texts.ts';

const navigation = document.getElementById('operation-list');
const main = document.getElementById('page');

/** Says for a moment on the button what became of its press. */
const tell = (button: Element | null, text: string): void => {
  const label = button?.lastChild;
  if (!label || label.textContent === text) return;
  const before = label.textContent;
  label.textContent = text;
  setTimeout(() => {
    label.textContent = before;
  }, 2_000);
};

if (navigation && main) {
  enableSearch(navigation);
  followScroll(navigation, main);
  // On phones it covers the page.
  navigation.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') && navigation.matches(':popover-open')) {
      navigation.hidePopover();
    }
  });
  let pressed: Element | null = null;
  main.addEventListener(
    'click',
    ({ target }) => {
      pressed = target instanceof Element ? target.closest('button') : null;
    },
    { capture: true },
  );
  enableCodeCopies(main, async (copy) => {
    const button = pressed;
    await copy().then(
      () => tell(button, texts.copied),
      () => tell(button, texts.notCopied),
    );
  });
  for (const button of main.querySelectorAll<HTMLButtonElement>('[data-try]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      button.setAttribute('aria-busy', 'true');
      const loaded = await import('./try-it/console.ts').catch(() => undefined);
      if (loaded) await loaded.toggleConsole(button);
      else tell(button, texts.reload);
      button.removeAttribute('aria-busy');
    });
  }
}
