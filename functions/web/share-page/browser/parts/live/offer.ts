import { liveTexts as texts } from './texts.ts';

const createButton = (act: () => void): HTMLButtonElement => {
  const button = document.createElement('button');
  button.type = 'button';
  button.addEventListener('click', act);
  return button;
};

/** Offers something at the bottom until it is taken or dismissed. Returns the message. */
export const offer = (message: string, label: string, act: () => unknown): HTMLElement => {
  const toast = document.createElement('p');
  toast.className = 'toast';
  toast.textContent = message;
  const take = createButton(() => {
    toast.remove();
    act();
  });
  take.textContent = label;
  const dismiss = createButton(() => toast.remove());
  dismiss.className = 'icon';
  dismiss.ariaLabel = texts.dismiss;
  const mark = document.createElement('i');
  mark.className = 'i-x';
  dismiss.append(mark);
  toast.append(take, dismiss);
  document.querySelector('.toasts')?.append(toast);
  return toast;
};
