import { effect } from '@preact/signals';
import { render } from 'preact';
import { isPlainClick } from '../../../browser/components/tabs.tsx';
import { Account } from './parts/account.tsx';
import { loadTab, url, user } from './parts/state.ts';

const place = document.getElementById('account') as HTMLElement;
const newToken = document.getElementById('new-token') as HTMLElement;

effect(() => {
  newToken.hidden = url.view.value.tab !== 'tokens';
});
newToken.addEventListener('click', (event) => {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  if (!url.view.value.isCreating) url.change({ isCreating: true }, 'push');
});

render(<Account />, place);
void user.load();
loadTab(url.view.value.tab);
