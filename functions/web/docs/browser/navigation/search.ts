import { referenceScriptTexts as texts } from '../texts.ts';

/** Lets the search field show the operations that have all its words, in the groups that have any. */
export const enableSearch = (navigation: HTMLElement): void => {
  const find = navigation.querySelector<HTMLElement>('.find');
  const field = find?.querySelector('input');
  const status = navigation.querySelector('[role=status]');
  const groups = [...navigation.querySelectorAll('details')];
  if (!find || !field || !status) return;
  const opened = groups.filter(({ open }) => open);
  const words = groups.map((group) => group.querySelector('summary')?.textContent ?? '');

  const search = (): void => {
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let isAny = false;
    for (const [at, group] of groups.entries()) {
      let isShown = false;
      for (const link of group.querySelectorAll('a')) {
        const text = `${words[at]} ${link.textContent} ${link.hash}`.toLowerCase();
        link.hidden = !wanted.every((word) => text.includes(word));
        isShown ||= !link.hidden;
      }
      group.hidden = !isShown;
      group.open = wanted.length > 0 ? isShown : opened.includes(group);
      isAny ||= isShown;
    }
    status.textContent = isAny ? '' : texts.noMatch;
  };

  find.hidden = false;
  field.addEventListener('input', search);
  field.addEventListener('keydown', (event) => {
    const first = navigation.querySelector<HTMLElement>('details:not([hidden]) a:not([hidden])');
    if (event.key === 'Enter' && field.value !== '') first?.click();
  });
  document.addEventListener('keydown', (event) => {
    const { target } = event;
    const isTyping = target instanceof Element && target.closest('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
};
