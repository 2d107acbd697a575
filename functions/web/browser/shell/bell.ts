import { h, render } from 'preact';
import { showFailure } from './feedback.ts';
import { shellTexts } from './texts.ts';

/** Fills the popover of the bell while it is open. Its code is loaded when it first opens. */
const fill = async (inbox: HTMLElement): Promise<void> => {
  try {
    const { Inbox } = await import('../notifications/inbox.tsx');
    if (!inbox.matches(':popover-open')) return;
    inbox.textContent = '';
    render(h(Inbox, {}), inbox);
  } catch {
    showFailure(shellTexts.bell.failed);
  }
};

/** Fills the popover of the bell when it opens. */
export const startBell = (): void => {
  const inbox = document.getElementById('inbox');
  if (!inbox) return;
  inbox.setAttribute('aria-label', shellTexts.bell.title);
  inbox.addEventListener('toggle', (event) => {
    if ((event as ToggleEvent).newState === 'open') void fill(inbox);
    else render(null, inbox);
  });
};

/** Opens or closes the notifications. */
export const toggleBell = (): void => {
  document.querySelector<HTMLElement>('[popovertarget=inbox]')?.click();
};
