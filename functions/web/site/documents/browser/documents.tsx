import '../../../browser/list-page.ts';
import { render } from 'preact';
import { isPlainClick } from '../../../browser/components/tabs.tsx';
import { may } from '../../../browser/shell/session.ts';
import { toUrl } from '../view.ts';
import { createNew } from './parts/actions.ts';
import { Documents } from './parts/page.tsx';
import { list, view } from './parts/state.ts';

const isNewAsked = new URLSearchParams(location.search).has('new');

render(<Documents />, document.getElementById('documents') as HTMLElement);
void list.load(view.value.page);
if (may('documents:create')) {
  document.getElementById('new-document')?.addEventListener('click', (event) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    void createNew();
  });
  // A link may come from anywhere, so it makes nothing by itself.
  if (isNewAsked) document.getElementById('new-document')?.focus();
}
// With `new`, a reload would ask again.
if (isNewAsked) history.replaceState(history.state, '', toUrl(view.value));
