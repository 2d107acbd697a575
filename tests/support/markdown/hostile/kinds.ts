import type { Origin } from '../allow-list.ts';
import { addressDocuments } from './addresses.ts';
import { clobbering, clobberingMarkdown } from './clobbering.ts';
import { elements } from './elements.ts';
import { imitations } from './imitations.ts';
import { math } from './math.ts';
import { mutations } from './mutations.ts';
import { pageBreaks } from './page-breaks.ts';
import { frontMatter, splits } from './splits.ts';
import { styles } from './styles.ts';

/** Hostile documents of one kind. */
export interface HostileKind {
  readonly name: string;
  readonly inputs: readonly string[];
  /** `author` where nothing of the result is the conversion’s own: these documents are raw HTML alone. */
  readonly origin?: Extract<Origin, 'author'>;
  /** Nothing can stand before these documents. */
  readonly isFirst?: true;
}

export const hostileKinds: readonly HostileKind[] = [
  { name: 'elements and events', inputs: elements, origin: 'author' },
  { name: 'mutations', inputs: mutations, origin: 'author' },
  { name: 'ends of the page', inputs: pageBreaks, origin: 'author' },
  { name: 'styles and images', inputs: styles, origin: 'author' },
  { name: 'imitations', inputs: imitations, origin: 'author' },
  { name: 'ids and names', inputs: clobbering },
  { name: 'headings and footnotes', inputs: clobberingMarkdown },
  { name: 'addresses', inputs: addressDocuments },
  { name: 'Markdown around HTML', inputs: splits },
  { name: 'front matter', inputs: frontMatter, isFirst: true },
  { name: 'math', inputs: math },
];
