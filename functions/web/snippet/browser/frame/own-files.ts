const [, prefix, ...path] = location.pathname.split('/');

/** What the addresses of the share’s files begin with, if it has more than this document. */
const files = path.length > 0 ? `${location.origin}/${prefix}/` : undefined;

/** Whether an address is that of a file of the same share. */
export const isOwnFile = ({ href }: HTMLAnchorElement): boolean =>
  files !== undefined && href.startsWith(files);

/** Whether it is that of a page, which is shown in the frame. Other files open in a new tab, which has a way back. */
export const isOwnPage = (address: HTMLAnchorElement): boolean =>
  isOwnFile(address) && /\.html?$|\/[^.]*$/i.test(address.pathname);
