import { followFrame } from './parts/frame/frame.ts';
import { watchNavigation } from './parts/left.ts';
import { enablePage } from './parts/page.ts';

enablePage();

const frame = document.querySelector('iframe');
const notice = document.querySelector<HTMLElement>('.blocked');
if (frame && notice) followFrame(frame, notice);
const left = document.querySelector<HTMLElement>('.left');
if (frame && left) watchNavigation(frame, left);
