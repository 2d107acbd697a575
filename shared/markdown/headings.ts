/** Apart from the ids of the page around it and from those of footnotes. */
const idPrefix = 'section-';

/** The slugs of the headings so far, and the last number that made a repeated one unique. */
export type Slugs = Map<string, number>;

/** As GitHub makes it of a heading's text: lower case, hyphens for spaces, no other punctuation. */
const slugify = (heading: string): string =>
  heading
    .replace(/<[^>]*>|&(?:amp|lt|gt|quot);/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .replace(/\s/g, '-');

const findFreeSlug = (slug: string, slugs: Slugs): string => {
  let number = slugs.get(slug) ?? 0;
  let free = slug;
  while (slugs.has(free)) {
    number++;
    free = `${slug}-${number}`;
  }
  slugs.set(slug, number);
  if (free !== slug) slugs.set(free, 0);
  return free;
};

/** A heading of that rank around HTML, with an id of its own and a link to itself; without if it has no word. */
export const writeHeading = (rank: string, content: string, slugs: Slugs): string => {
  const slug = slugify(content);
  if (slug === '') return `<h${rank}>${content}</h${rank}>`;
  const id = `${idPrefix}${findFreeSlug(slug, slugs)}`;
  const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
  return `<h${rank} id="${id}">${content}${anchor}</h${rank}>`;
};

/** The document's own links to its headings (`[Install](#install)`) lead to their prefixed ids, and say that they do. */
export const linkToHeadings = (html: string, slugs: Slugs): string => {
  if (slugs.size === 0) return html;
  // As micromark writes an address.
  const addresses = new Set(Array.from(slugs.keys(), encodeURI));
  return html.replace(/<a href="#([^"]*)"(?=>| title=)/g, (link, address) =>
    addresses.has(address) ? `<a class="local" href="#${idPrefix}${address}"` : link,
  );
};
