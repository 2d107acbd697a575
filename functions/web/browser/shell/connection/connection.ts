import { shellTexts as texts } from '../texts.ts';

/**
 * Says while the browser is offline that it is: in the bar above the page, and on phones as a strip on the bottom bar, which
 * counts as its part, so that what is above it stays in view. Says for a while when it is online again.
 */
export const startConnection = (): void => {
  const status = document.createElement('p');
  status.className = 'badge warn offline';
  status.setAttribute('role', 'status');
  const show = (): void => {
    const isOffline = !navigator.onLine;
    status.hidden = !isOffline;
    status.textContent = isOffline ? texts.offline : '';
    document.documentElement.toggleAttribute('data-offline', isOffline);
  };
  document.querySelector('#bar .acts')?.prepend(status);
  addEventListener('online', () => {
    show();
    import('./back-online.ts').then(
      ({ sayOnline }) => sayOnline(status),
      () => {},
    );
  });
  addEventListener('offline', show);
  show();
};
