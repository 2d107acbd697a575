/** A link without a title whose text has no markup. */
const links = /<a href="(https?:[^"]+)">([^<]+)<\/a>/g;

/** Returns an address as people write it: without its scheme and a slash at its end, and in their own letters. */
const toWritten = (address: string): string => {
  const short = address.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  try {
    return decodeURI(short);
  } catch {
    return short;
  }
};

/** Marks the links of a rendered text that are their own address: on paper, it isn't written behind them again. */
export const markBareLinks = (rendered: string): string =>
  rendered.replace(links, (link, href: string, text: string) =>
    toWritten(href) === toWritten(text) ? link.replace('<a', '<a class="bare"') : link,
  );
