import { enableWayBack, keepStep } from './preview.ts';
import { enableStop } from './stop.ts';

/** Makes what only the owner has work: the bar of their share, or the way back from its preview. */
export const enableOwn = (): void => {
  const bar = document.querySelector<HTMLElement>('.own');
  const stop = bar?.querySelector<HTMLElement>('[data-stops]');
  if (bar && stop) enableStop(bar, stop);
  const back = document.querySelector<HTMLAnchorElement>('.pill-note a');
  if (back) enableWayBack(back);
  else keepStep();
};
