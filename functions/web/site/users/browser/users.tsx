import { render } from 'preact';
import { isPlainClick } from '../../../browser/components/tabs.tsx';
import { Users } from './parts/page.tsx';
import { list, url } from './parts/state.ts';

render(<Users />, document.getElementById('users') as HTMLElement);
void list.load(url.view.value.page);
document.getElementById('new-user')?.addEventListener('click', (event) => {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  url.change({ tab: 'users', open: 'new' }, 'push');
});
