import type { Page } from 'playwright-core';

/** The narrowest phone, a phone and a tablet. */
export const widths = [320, 390, 900] as const;

const getOverflow = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll('body *')].filter((element) => {
    const { right, width } = element.getBoundingClientRect();
    return width > 0 && right > clientWidth + 1;
  });
  const names = wide.slice(0, 3).map(({ tagName, id, className }) => tagName.toLowerCase() + (id && '#' + id) + '.' + className);
  return [scrollWidth + ' px wide: ' + names.join(', ')];
})()`;

/** Returns what makes a page scroll sideways, at each width. */
export const findOverflows = async (page: Page): Promise<string[]> => {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const wide = (await page.evaluate(getOverflow)) as string[];
    found.push(...wide.map((text) => `at ${width} px: ${text}`));
  }
  if (before) await page.setViewportSize(before);
  return found;
};

// Buttons and links must show their whole text; one line of a list may end in an ellipsis.
const getClipped = `[...document.querySelectorAll('button, .btn, label, h1, h2')].flatMap((element) => {
  const style = getComputedStyle(element);
  const isClipped = ['hidden', 'clip'].includes(style.overflowY) && style.textOverflow !== 'ellipsis' &&
    element.clientWidth > 1 && element.scrollHeight > element.clientHeight + 3;
  return isClipped ? [element.tagName.toLowerCase() + ' “' + element.textContent.trim().slice(0, 40) + '”'] : [];
})`;

/** Returns what doesn’t fit at the present width. */
export const findClipped = async (page: Page): Promise<string[]> => {
  const wide = (await page.evaluate(getOverflow)) as string[];
  const clipped = (await page.evaluate(getClipped)) as string[];
  return [...wide, ...clipped.map((text) => `clipped: ${text}`)];
};

/** Returns icons that can’t be told from what is behind them, which is what forced colors do to masks. */
export const findInvisibleIcons = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('i[class^="i-"]')].flatMap((icon) => {
    if (icon.getClientRects().length === 0) return [];
    const color = (element) => getComputedStyle(element).backgroundColor;
    let behind = icon.parentElement;
    while (behind.parentElement && /, 0\\)$/.test(color(behind))) behind = behind.parentElement;
    return color(icon) === color(behind) ? [icon.className + ' in ' + icon.parentElement.tagName.toLowerCase()] : [];
  })`);

/** Returns what moves although the user wants less motion. */
export const findMotion = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('*')].flatMap((element) => {
    const { transitionDuration, animationDuration, animationName } = getComputedStyle(element);
    const isOver = (list, limit) => list.split(',').some((text) => parseFloat(text) > limit);
    const isMoving = isOver(transitionDuration, 0) || (animationName !== 'none' && isOver(animationDuration, 0.01));
    return isMoving ? [element.tagName.toLowerCase() + '.' + element.className] : [];
  }).slice(0, 5)`);

/** The position and size of the bar and the sidebar, as text; `undefined` where there is none. */
export const readFrame = (page: Page): Promise<string | undefined> =>
  page.evaluate(`(() => {
    const boxes = ['bar', 'side'].map((id) => document.getElementById(id)).filter(Boolean);
    if (boxes.length === 0) return undefined;
    return boxes.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [element.id, x, y, width, height].join(' ');
    }).join(', ');
  })()`);

// A link within a text is as tall as its line, one in a row does what the row does, and the height of an event is its time. What is wrapped in its label, or has a larger area around it, is as large as that.
const getSmallTargets = (least: number) => `(() => {
  const targets = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role^=menuitem], [role=switch]';
  const isInText = (element) => element.matches('a') && getComputedStyle(element).display === 'inline' &&
    element.closest(':not(a, sup)').textContent.trim().length > element.textContent.trim().length;
  const hits = (element, x, y) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (element.contains(hit) || [...(element.labels ?? [])].some((label) => label.contains(hit)));
  };
  return [...document.querySelectorAll(targets)].flatMap((element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || isInText(element)) return [];
    if (element.closest('[inert], .vh, tr a, .col .ev') || element.disabled) return [];
    element.scrollIntoView({ block: 'center', inline: 'center' });
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1 || (width >= ${least} && height >= ${least})) return [];
    const [x, y] = [left + width / 2, top + height / 2];
    // Covered, or not within the view.
    if (!hits(element, x, y)) return [];
    const reach = (dx, dy) => {
      let far = 1;
      while (far < ${least} && hits(element, x + far * dx, y + far * dy)) far += 1;
      return far;
    };
    const isWide = width >= ${least} || reach(-1, 0) + reach(1, 0) >= ${least};
    const isTall = height >= ${least} || reach(0, -1) + reach(0, 1) >= ${least};
    if (isWide && isTall) return [];
    const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 30);
    return [element.tagName.toLowerCase() + '.' + element.className + ' “' + name + '” ' + Math.round(width) + '×' + Math.round(height)];
  });
})()`;

/** What can be pressed on a phone has at least this size, in px, in each direction. */
export const leastTarget = 40;

/** Returns what can be pressed and is smaller than `least` px in one direction, apart from links within a text. */
export const findSmallTargets = (page: Page, least: number): Promise<string[]> =>
  page.evaluate(getSmallTargets(least));
