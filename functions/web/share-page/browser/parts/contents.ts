import { onExchange } from './live/exchanges.ts';

/** From this width on, the contents list stands beside the text, open. */
const wide = matchMedia('(min-width: 75rem)');

const openWhereWide = (): void => {
  const details = document.querySelector<HTMLDetailsElement>('.toc details');
  if (details) details.open = wide.matches;
};

/** Opens the contents list where there is space, and marks the section that is being read. */
export const followReading = (): void => {
  let links: HTMLAnchorElement[] = [];
  let targets: (HTMLElement | null)[] = [];
  let isPlanned = false;
  const mark = () => {
    isPlanned = false;
    // The end of the page belongs to the last section, which may be too short to reach the top.
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const line = isAtEnd ? innerHeight : innerHeight / 4;
    const passed = targets.map((target) => (target?.getBoundingClientRect().top ?? 0) <= line);
    const current = Math.max(0, passed.lastIndexOf(true));
    links.forEach((link, at) => {
      if (at === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    });
  };
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(mark);
  };
  const start = () => {
    if (wide.matches) openWhereWide();
    links = [...document.querySelectorAll<HTMLAnchorElement>('.toc a')];
    targets = links.map(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))));
    mark();
  };
  wide.addEventListener('change', openWhereWide);
  addEventListener('click', ({ target }) => {
    if (!wide.matches && target instanceof Element && target.closest('.toc a')) openWhereWide();
  });
  addEventListener('scroll', plan, { passive: true });
  addEventListener('resize', plan);
  onExchange(start);
  start();
};
