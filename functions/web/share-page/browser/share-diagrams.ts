// The script of a share with diagrams: with that of all shares, because each file is a request.
import './share.ts';
import { createDiagrams } from '../../browser/diagrams/diagrams.ts';

const prose = document.querySelector<HTMLElement>('[data-diagrams]');
if (prose) createDiagrams(prose, prose.dataset['diagrams'] ?? '').update();
