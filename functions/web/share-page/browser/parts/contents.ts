/** From this width on, the contents list stands beside the text, open. */
const wide = matchMedia('(min-width: 75rem)');

/** Opens the contents list where there is space, and marks the section that is being read. */
export const followReading = (): void => {
  const details = document.querySelector<HTMLDetailsElement>('.toc details');
  if (!details) return;
  const links = Array.from(details.querySelectorAll('a'));
  const targets = links.map(({ hash }) =>
    document.getElementById(decodeURIComponent(hash.slice(1))),
  );
  details.open = wide.matches;
  wide.addEventListener('change', () => {
    details.open = wide.matches;
  });
  details.addEventListener('click', (event) => {
    if (!wide.matches && (event.target as Element).closest('a')) details.open = false;
  });
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
  addEventListener('scroll', plan, { passive: true });
  addEventListener('resize', plan);
  mark();
};
