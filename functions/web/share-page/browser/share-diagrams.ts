import { createDiagrams } from '../../browser/diagrams/diagrams.ts';

const prose = document.querySelector<HTMLElement>('[data-diagrams]');
if (prose) createDiagrams(prose, prose.dataset['diagrams'] ?? '').update();
