import { shellTexts as texts } from './texts.ts';

/** Creates what says in one of the bars that the browser is offline. */
const createStatus = (className: string, text: string) => {
  const status = document.createElement('p');
  status.className = className;
  status.setAttribute('role', 'status');
  return {
    status,
    show: (isOffline: boolean): void => {
      status.textContent = isOffline ? text : '';
      status.hidden = !isOffline;
    },
  };
};

/**
 * Says while the browser is offline that it is: in the bar above the page, and on phones as a strip within the bottom bar,
 * which is as much higher, so that what is above it stays in view.
 */
export const startConnection = (): void => {
  const badge = createStatus('badge warn hide-s', texts.offlineBadge);
  const strip = createStatus('offline', texts.offline);
  const show = (): void => {
    const isOffline = !navigator.onLine;
    document.documentElement.toggleAttribute('data-offline', isOffline);
    badge.show(isOffline);
    strip.show(isOffline);
  };
  document.querySelector('#bar .acts')?.prepend(badge.status);
  document.querySelector('.tab-bar')?.append(strip.status);
  addEventListener('online', show);
  addEventListener('offline', show);
  show();
};
