import { withoutUnshownImages } from '../links-and-images/unshown-images.ts';

/** Separates ids from those of the page and of footnotes. */
const idPrefix = 'section-';

/** Slugs of the previous headings, each with the last number that made a duplicate unique. */
export type Slugs = Map<string, number>;

/** Converts a heading to a slug as GitHub does: lower case, hyphens for spaces, no other punctuation. */
const slugify = (heading: string): string =>
  withoutUnshownImages(heading)
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

/** Creates a heading with an id and a link to itself, or without both if it contains no word. */
export const writeHeading = (rank: string, content: string, slugs: Slugs): string => {
  const slug = slugify(content);
  if (slug === '') return `<h${rank}>${content}</h${rank}>`;
  const id = `${idPrefix}${findFreeSlug(slug, slugs)}`;
  const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
  return `<h${rank} id="${id}">${content}${anchor}</h${rank}>`;
};

/** Points links to headings (`[Install](#install)`) at the prefixed ids. */
export const linkToHeadings = (html: string, slugs: Slugs): string => {
  if (slugs.size === 0) return html;
  // micromark encodes URLs this way.
  const addresses = new Set(Array.from(slugs.keys(), encodeURI));
  return html.replace(/<a href="#([^"]*)"(?=>| title=)/g, (link, address) =>
    addresses.has(address) ? `<a class="local" href="#${idPrefix}${address}"` : link,
  );
};
