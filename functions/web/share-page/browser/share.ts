import { followReading } from './parts/contents.ts';
import { enablePage } from './parts/page.ts';
import { enableProse } from './parts/prose.ts';

enablePage();
followReading();

const prose = document.querySelector<HTMLElement>('.prose');
if (prose) enableProse(prose);
