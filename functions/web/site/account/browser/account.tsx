import { effect } from '@preact/signals';
import { render } from 'preact';
import { isPlainClick } from '../../../browser/components/tabs.tsx';
import type { Tab } from '../view.ts';
import { Account } from './parts/account.tsx';
import { loadTab, url, user } from './parts/state.ts';

const place = document.getElementById('account') as HTMLElement;

/** Opens the form of something new by a link in the header, which is there on its tab only. */
const enhance = (id: string, tab: Tab): void => {
  const link = document.getElementById(id) as HTMLElement;
  effect(() => {
    link.hidden = url.view.value.tab !== tab;
  });
  link.addEventListener('click', (event) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    if (url.view.value.isCreating) return;
    url.change({ isCreating: true, open: undefined, part: undefined }, 'push');
  });
};

enhance('new-token', 'tokens');
enhance('add-webhook', 'webhooks');

render(<Account />, place);
void user.load();
loadTab(url.view.value.tab);
