import { render } from 'preact';
import { startDecisionKeys } from './parts/decisions.ts';
import { Moderation } from './parts/page.tsx';
import { list } from './parts/state.ts';

render(<Moderation />, document.getElementById('moderation') as HTMLElement);
startDecisionKeys();
void list.load(1);
