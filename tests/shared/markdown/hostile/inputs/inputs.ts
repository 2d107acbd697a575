import { addressDocuments } from './addresses.ts';
import { clobbering, clobberingMarkdown } from './clobbering.ts';
import { elements } from './elements.ts';
import { hostileFiles } from './file-views.ts';
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
  /** These documents are raw HTML alone: nothing of the result is the conversion’s own. */
  readonly isRaw?: true;
  /** Nothing can stand before these documents. */
  readonly isFirst?: true;
}

export const hostileKinds: readonly HostileKind[] = [
  { name: 'elements and events', inputs: elements, isRaw: true },
  { name: 'mutations', inputs: mutations, isRaw: true },
  { name: 'ends of the page', inputs: pageBreaks, isRaw: true },
  { name: 'styles and images', inputs: styles, isRaw: true },
  { name: 'imitations', inputs: imitations, isRaw: true },
  { name: 'ids and names', inputs: clobbering },
  { name: 'headings and footnotes', inputs: clobberingMarkdown },
  { name: 'addresses', inputs: addressDocuments },
  { name: 'Markdown around HTML', inputs: splits },
  { name: 'front matter', inputs: frontMatter, isFirst: true },
  { name: 'math', inputs: math },
  { name: 'tables and trees', inputs: hostileFiles, isFirst: true },
];
