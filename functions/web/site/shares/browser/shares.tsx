import { effect } from '@preact/signals';
import { render } from 'preact';
import { formatNumber } from '../../../browser/data/format.ts';
import { Shares } from './parts/page.tsx';
import { start, total } from './parts/state.ts';

const place = document.getElementById('shares') as HTMLElement;
render(<Shares />, place);

const count = document.getElementById('total') as HTMLElement;
effect(() => {
  count.textContent = total.value === undefined ? '' : formatNumber(total.value);
  count.hidden = !total.value;
});
start();
