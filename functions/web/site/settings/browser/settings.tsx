import { render } from 'preact';
import { may } from '../../../browser/shell/session.ts';
import { Settings } from './parts/page.tsx';
import { spending } from './parts/spending-state.ts';
import { failedJobs, health, settings } from './parts/state.ts';

render(<Settings />, document.getElementById('settings') as HTMLElement);
void settings.load();
void health.load();
void spending.load();
if (may('jobs:manage')) void failedJobs.load();
