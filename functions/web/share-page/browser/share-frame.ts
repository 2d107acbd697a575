// The script of a share in a frame: with that of all shares, because each file is a request.
import './share.ts';
import { followFrame } from './parts/frame/frame.ts';
import { watchNavigation } from './parts/left.ts';

const frame = document.querySelector('iframe');
const notice = document.querySelector<HTMLElement>('.blocked');
if (frame && notice) followFrame(frame, notice);
const left = document.querySelector<HTMLElement>('.left');
if (frame && left) watchNavigation(frame, left);
