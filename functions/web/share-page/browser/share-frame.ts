// The script of a share in a frame: with that of all pages, because each file is a request.
import { startPage } from './parts/every-page.ts';
import { followFrame } from './parts/frame/frame.ts';
import { watchNavigation } from './parts/left.ts';

startPage();
const frame = document.querySelector('iframe');
const notice = document.querySelector<HTMLElement>('.blocked');
if (frame && notice) followFrame(frame, notice);
const left = document.querySelector<HTMLElement>('.left');
if (frame && left) watchNavigation(frame, left);
