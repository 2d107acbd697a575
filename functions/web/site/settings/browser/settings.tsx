import '../../../browser/list-page.ts';
import { render } from 'preact';
import { Settings } from './parts/page.tsx';
import { health, settings } from './parts/state.ts';

render(<Settings />, document.getElementById('settings') as HTMLElement);
void settings.load();
void health.load();
