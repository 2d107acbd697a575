import { effect } from '@preact/signals';
import { render } from 'preact';
import { isPlainClick } from '../../../browser/components/tabs.tsx';
import { updates } from '../../../browser/shell/updates.ts';
import { Notifications } from './parts/page.tsx';
import { startEntryKeys } from './parts/shortcuts.ts';
import { list, reading, url } from './parts/state.ts';

render(<Notifications />, document.getElementById('notifications') as HTMLElement);
startEntryKeys();
void list.load(1);
const markAll = document.getElementById('mark-all') as HTMLButtonElement;
markAll.addEventListener('click', () => void reading.markAll());
effect(() => {
  markAll.disabled = updates.value.unreadNotifications === 0;
});
document.getElementById('settings')?.addEventListener('click', (event) => {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  if (url.view.value.open === undefined) url.change({ open: 'settings' }, 'push');
});
