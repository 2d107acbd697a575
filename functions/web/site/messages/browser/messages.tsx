import { render } from 'preact';
import { isPlainClick } from '../../../browser/components/tabs.tsx';
import { Messages } from './parts/page.tsx';
import { startKeys } from './parts/shortcuts.ts';
import { start } from './parts/state.ts';
import { url } from './parts/url.ts';

render(<Messages />, document.getElementById('messages') as HTMLElement);
startKeys();
start();
document.getElementById('new-message')?.addEventListener('click', (event) => {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  if (!url.view.value.isNew) url.change({ isNew: true, open: undefined }, 'push');
});
