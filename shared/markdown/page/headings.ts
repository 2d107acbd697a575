import { withoutUnshownImages } from '../links-and-images/unshown-images.ts';

/** Separates the ids of authors and of footnotes, as GitHub does. */
const authorPrefix = 'user-content-';

/**
 * What a slug has no place for: all but letters, marks, digits, connectors such as `_`, hyphens and spaces, which are
 * the classes of GitHub’s filter:
 * https://github.com/gjtorikian/html-pipeline/blob/main/lib/html_pipeline/node_filter/table_of_contents_filter.rb
 */
const notInSlugs = /[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- ]/gu;

/** Converts the markup of a heading to a slug as GitHub does. Spaces beside an image or an emoji become hyphens, too. */
const slugify = (heading: string): string =>
  withoutUnshownImages(heading)
    .replace(/<[^>]*>|&(?:amp|lt|gt|quot|nbsp|#39|#x27);/g, '')
    .toLowerCase()
    .replace(notInSlugs, '')
    .replaceAll(' ', '-');

const decodeAddress = (address: string): string => {
  try {
    return decodeURIComponent(address.replaceAll('&amp;', '&'));
  } catch {
    return address;
  }
};

/** A heading of a fragment. Attributes and content are markup. */
export interface Heading {
  readonly rank: string;
  readonly attributes: string;
  readonly content: string;
  /** A link can’t contain another. */
  readonly isInLink: boolean;
}

/** Gives the headings of one fragment their ids. */
export interface HeadingWriter {
  /** Writes a heading with its slug as its id and a link to itself, or as it was if it contains no word. */
  write(heading: Heading): string;
  /** Points the links of the fragment at its headings, else at what its author named so. */
  pointLinks(html: string): string;
}

// Quotes of texts and of values are escaped.
const named = / (?:id|name)="([^"]*)"/g;
const ownId = / id="([^"]*)"/;
const linkToPart = /(?<=<a (?:[^<>]* )?href="#)[^"]+(?=")/g;
const footnoteLabel =
  /(?<=<h2 id=")footnote-label(?=" class="sr-only")|(?<=<a href="#[^"]*" id="[^"]*" data-footnote-ref="" aria-describedby=")footnote-label/g;

/**
 * Creates the writer of a fragment. A prefix separates slugs from the ids of a page that has others; those of a share have
 * a capital letter, which no slug has.
 */
export const createHeadingWriter = (fragment: string, prefix: string): HeadingWriter => {
  const taken = new Set(Array.from(fragment.matchAll(named), ([, name = '']) => name));
  // On pages, the heading of footnotes has an id with a capital letter.
  taken.delete('footnote-label');
  /** Each slug with the last number that made a duplicate unique. */
  const slugs = new Map<string, number>();
  const findFree = (slug: string): string => {
    let number = slugs.get(slug) ?? 0;
    let free = slug;
    while (slugs.has(free) || taken.has(`${prefix}${free}`)) {
      number++;
      free = `${slug}-${number}`;
    }
    slugs.set(slug, number);
    slugs.set(free, slugs.get(free) ?? 0);
    return free;
  };
  const findTarget = (name: string): string | undefined => {
    if (taken.has(name)) return undefined;
    if (slugs.has(name)) return `${prefix}${name}`;
    const byAuthor = `${authorPrefix}${name}`;
    if (taken.has(byAuthor)) return byAuthor;
    // GitHub’s pages don’t tell letters and capitals apart.
    const lower = name.toLowerCase();
    return slugs.has(lower) ? `${prefix}${lower}` : undefined;
  };
  return {
    write: ({ rank, attributes, content, isInLink }) => {
      const slug = findFree(slugify(content));
      if (slug === '') return `<h${rank}${attributes}>${content}</h${rank}>`;
      const [, name] = ownId.exec(attributes) ?? [];
      const target = name === undefined ? '' : `<span id="${name}"></span>`;
      const id = `${prefix}${slug}`;
      const anchor = isInLink
        ? ''
        : `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
      return `<h${rank} id="${id}"${attributes.replace(ownId, '')}>${target}${content}${anchor}</h${rank}>`;
    },
    pointLinks: (html) =>
      html.replace(footnoteLabel, 'Footnotes').replace(linkToPart, (address) => {
        const target = findTarget(decodeAddress(address));
        return target === undefined ? address : encodeURI(target);
      }),
  };
};
