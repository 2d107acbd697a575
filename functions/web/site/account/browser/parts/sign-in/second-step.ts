import { handleSecondStep, type SecondStep } from '../../../../../browser/factors/second-step.ts';
import { type Cover, coverCard } from './cover.ts';

/** Says on the card that is shown again why it is. */
const showReason = (card: HTMLElement, reason: string): void => {
  const title = card.querySelector('h1')?.textContent ?? '';
  const note = document.createElement('p');
  note.className = 'note why warn';
  note.setAttribute('role', 'status');
  const icon = document.createElement('i');
  icon.className = 'i-info';
  icon.setAttribute('aria-hidden', 'true');
  const text = document.createElement('span');
  note.append(icon, text);
  card.querySelector('.why')?.remove();
  card.prepend(note);
  // Readers announce a change of what is already there.
  text.textContent = reason;
  document.title = document.title.replace(/^[^·]*/, `${title} `);
};

/** Shows the step after what signed in first, in its place, until the user is signed in or the step has expired. */
export const showSecondStep = (step: SecondStep, onDone: () => void): undefined => {
  const cover: Cover | undefined = coverCard('#second-step');
  if (!cover) return undefined;
  const { place, card, reason, uncover } = cover;
  const password = card.querySelector<HTMLInputElement>('[name="password"]');
  if (password) password.value = '';
  handleSecondStep(place, step, {
    onDone,
    onLate: () => {
      uncover();
      showReason(card, reason);
      (password ?? card.querySelector<HTMLElement>('.in, .btn'))?.focus();
    },
  });
  // Someone else signs in on the page itself, as it was opened.
  place.querySelectorAll<HTMLAnchorElement>('[data-someone-else]').forEach((link) => {
    if (location.pathname !== '/login/email') link.href = location.pathname + location.search;
  });
  return undefined;
};
