import { render } from 'preact';
import { isPlainClick } from '../../../browser/components/tabs.tsx';
import { Users } from './parts/page.tsx';
import { roleSource } from './parts/role-list.ts';
import { list, url } from './parts/state.ts';

render(<Users />, document.getElementById('users') as HTMLElement);
void list.load(url.view.value.page);
void roleSource.load();
const actions = { 'new-user': 'new', 'import-users': 'import' } as const;
for (const [id, open] of Object.entries(actions)) {
  document.getElementById(id)?.addEventListener('click', (event) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    url.change({ tab: 'users', open }, 'push');
  });
}
