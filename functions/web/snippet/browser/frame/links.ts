import { afterHandlers } from './after-handlers.ts';
import { isFile, type Link, offerFile } from './files.ts';
import { isOwnFile, isOwnPage } from './own-files.ts';
import { tell } from './report.ts';

const findLink = (event: Event): Link | undefined =>
  event
    .composedPath()
    .find((one): one is Link => /^a(rea)?$/.test((one as Link).localName) && !!(one as Link).href);

/** Resolves where a link leads. */
const resolve = ({ href }: Link): HTMLAnchorElement => {
  const address = document.createElement('a');
  address.href = typeof href === 'string' ? href : href.baseVal;
  return address;
};

const isWithin = ({ href }: HTMLAnchorElement): boolean =>
  href.startsWith(`${location.href.split('#')[0]}#`);

/** Whether a link leads to another page beside the snippet, which has only its own. */
const leadsNowhere = (address: HTMLAnchorElement): boolean =>
  address.protocol === 'file:' || (address.host === location.host && !isOwnFile(address));

const newTab = { target: '_blank', rel: 'noopener noreferrer' };
const thisFrame = { target: '_self' };

/**
 * Opens clicked links in a new tab without an opener, because the page's policy lets no other site load in the frame.
 * Links within the document and script URLs stay as they are, and so do clicks by scripts. Links to the share’s own pages stay
 * in the frame. The link is modified only during the click.
 */
export const openLinksInNewTab = (): void => {
  addEventListener(
    'click',
    (event) => {
      const link = event.isTrusted && findLink(event);
      if (!link) return;
      const address = resolve(link);
      if (address.protocol === 'javascript:' || isWithin(address)) return;
      for (const [name, value] of Object.entries(isOwnPage(address) ? thisFrame : newTab)) {
        const before = link.getAttribute(name);
        link.setAttribute(name, value);
        setTimeout(() =>
          before === null ? link.removeAttribute(name) : link.setAttribute(name, before),
        );
      }
    },
    true,
  );
  afterHandlers('click', (event) => {
    const link = findLink(event);
    if (!link) return;
    const address = resolve(link);
    if (isFile(link, address)) offerFile(link, address);
    else if (event.isTrusted && leadsNowhere(address) && !isWithin(address))
      tell('link', link.getAttribute('href') ?? '');
    else return;
    event.preventDefault();
  });
};
