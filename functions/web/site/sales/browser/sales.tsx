import { render } from 'preact';
import { isPlainClick } from '../../../browser/components/tabs.tsx';
import { Sales } from './parts/page.tsx';
import { list, loadTotals, url } from './parts/state.ts';

render(<Sales />, document.getElementById('sales') as HTMLElement);
void list.load(url.view.value.page);
loadTotals();
const actions = { 'new-sale': 'new', 'import-sales': 'import' } as const;
for (const [id, open] of Object.entries(actions)) {
  document.getElementById(id)?.addEventListener('click', (event) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    url.change({ open }, url.view.value.open === undefined ? 'push' : 'replace');
  });
}
