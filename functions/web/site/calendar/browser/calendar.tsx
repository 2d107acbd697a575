import { render } from 'preact';
import { isPlainClick } from '../../../browser/components/tabs.tsx';
import { openBeside } from './event/open.ts';
import { Calendar } from './parts/page.tsx';
import { startShortcuts } from './parts/shortcuts.ts';
import { events, startClock } from './parts/state.ts';

render(<Calendar />, document.getElementById('calendar') as HTMLElement);
startShortcuts();
startClock();
void events.load();
const actions = { 'new-event': 'new', feed: 'feed' } as const;
for (const [id, open] of Object.entries(actions)) {
  document.getElementById(id)?.addEventListener('click', (event) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    openBeside(open);
  });
}
