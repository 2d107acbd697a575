/** Marks the link of the operation that is read, and keeps it in sight. */
export const followScroll = (navigation: HTMLElement, main: HTMLElement): void => {
  const links = new Map(
    [...navigation.querySelectorAll<HTMLAnchorElement>('a[href*="#"]')]
      .filter((link) => link.pathname === location.pathname)
      .map((link) => [link.hash.slice(1), link]),
  );
  const inView = new Set<Element>();
  let current: Element | undefined;

  const mark = (): void => {
    const top = [...main.querySelectorAll('section')].find((section) => inView.has(section));
    const link = top && links.get(top.id);
    if (!link || link === current) return;
    current?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    current = link;
    if (navigation.scrollHeight > navigation.clientHeight) {
      link.scrollIntoView({ block: 'nearest' });
    }
  };

  // A band below the bar: what crosses it is read.
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) inView.add(target);
        else inView.delete(target);
      }
      mark();
    },
    { rootMargin: '-80px 0px -50% 0px' },
  );
  for (const section of main.querySelectorAll('section')) observer.observe(section);
};
