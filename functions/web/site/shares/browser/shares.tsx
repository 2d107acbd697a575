import { render } from 'preact';
import { Shares } from './parts/list.tsx';
import { loadShares } from './parts/state.ts';

const place = document.getElementById('shares') as HTMLElement;
render(<Shares />, place);
void loadShares();
