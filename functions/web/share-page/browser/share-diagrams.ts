// The script of a share with diagrams: with that of all shares, because each file is a request.
import './share.ts';
import { createDiagrams } from '../../browser/diagrams/diagrams.ts';
import { onExchange } from './parts/live/exchanges.ts';

const prose = document.querySelector<HTMLElement>('[data-diagrams]');
if (prose) {
  const diagrams = createDiagrams(prose, prose.dataset['diagrams'] ?? '');
  diagrams.update();
  onExchange(() => diagrams.update());
}
