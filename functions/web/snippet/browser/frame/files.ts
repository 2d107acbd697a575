import { isOwnFile } from './own-files.ts';
import { offer } from './report.ts';

/** A link of the document, also within a drawing. */
export type Link = HTMLAnchorElement | HTMLAreaElement | SVGAElement;

/** Whether a link saves what the snippet or its share holds. */
export const isFile = (link: Link, address: HTMLAnchorElement): boolean =>
  link.hasAttribute('download') && (/^(blob|data):/.test(address.protocol) || isOwnFile(address));

/** The files that are being read, by their address. */
const reading = new Map<string, Promise<Blob>>();

/** Offers a file to the page, which saves it after a click of the reader: from the frame, the sandbox lets none start. */
export const offerFile = async (link: Link, { href }: HTMLAnchorElement): Promise<void> => {
  const read = fetch(href)
    .then((response) => response.blob())
    .finally(() => reading.delete(href));
  reading.set(href, read);
  offer({ file: await read, name: link.getAttribute('download') });
};

/** Keeps the address of a file until it is read: scripts take it back right after the click, which may come first. */
export const keepWhileRead = (): void => {
  const { revokeObjectURL } = URL;
  URL.revokeObjectURL = (url) => {
    const revoke = () => revokeObjectURL.call(URL, url);
    const read = reading.get(`${url}`);
    if (read) read.then(revoke, revoke);
    else revoke();
  };
};

/** Offers what scripts save by a link that isn't in the document, whose click reaches no listener. */
export const offerFilesOfScripts = (): void => {
  const { click } = HTMLElement.prototype;
  HTMLElement.prototype.click = function () {
    if (this instanceof HTMLAnchorElement && !this.isConnected && isFile(this, this))
      offerFile(this, this);
    else click.call(this);
  };
  const { dispatchEvent } = EventTarget.prototype;
  EventTarget.prototype.dispatchEvent = function (event) {
    const isDone = dispatchEvent.call(this, event);
    if (
      event.type === 'click' &&
      this instanceof HTMLAnchorElement &&
      !this.isConnected &&
      isFile(this, this)
    )
      offerFile(this, this);
    return isDone;
  };
};
