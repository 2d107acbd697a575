import { effect } from '@preact/signals';
import { sentChanges } from '../unsaved.ts';
import { backOnlineTexts as texts } from './back-online-texts.ts';

/** How long it is said. ms. */
const shownMs = 6_000;

let shown: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

const setShown = (isShown: boolean): void => {
  if (!shown) return;
  shown.hidden = !isShown;
  shown.textContent = isShown ? texts.online(sentChanges.value) : '';
  shown.classList.toggle('warn', !isShown);
  shown.classList.toggle('ok', isShown);
  document.documentElement.toggleAttribute('data-offline', isShown);
};

/** Says that the browser is online again, where it said that it was offline. */
export const sayOnline = (status: HTMLElement): void => {
  // Loading this took a while.
  if (!navigator.onLine) return;
  shown = status;
  setShown(true);
  clearTimeout(timer);
  timer = setTimeout(() => {
    setShown(false);
    shown = undefined;
    sentChanges.value = 0;
  }, shownMs);
};

effect(() => {
  if (sentChanges.value > 0) setShown(true);
});

addEventListener('offline', () => {
  clearTimeout(timer);
  shown?.classList.replace('ok', 'warn');
  shown = undefined;
  sentChanges.value = 0;
});
