/** A link that leads away from the page. */
const outwardLinks = /<a (?=[^>]*\bhref="[^"#])([^>]*)>/g;

/** Makes the links of a rendered text open new tabs, except those within it. Styles tell readers of it. */
export const openNewTabs = (rendered: string): string =>
  rendered.replace(outwardLinks, '<a $1 target="_blank" rel="noopener">');
