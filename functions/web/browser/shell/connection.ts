import { shellTexts as texts } from './texts.ts';

/** Shows a notice above the page while the browser is offline. */
export const startConnection = (): void => {
  const notice = document.createElement('p');
  notice.className = 'note warn offline';
  notice.setAttribute('role', 'status');
  const show = (): void => {
    notice.textContent = navigator.onLine ? '' : texts.offline;
    notice.hidden = navigator.onLine;
  };
  document.getElementById('bar')?.after(notice);
  addEventListener('online', show);
  addEventListener('offline', show);
  show();
};
