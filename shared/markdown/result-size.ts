import { compile, type Options } from 'micromark';
// Augments the token types.
import type {} from 'micromark-extension-gfm-table';
import { normalizeIdentifier } from 'micromark-util-normalize-identifier';
import { sanitizeUri } from 'micromark-util-sanitize-uri';
import type { CompileData, Event, HtmlExtension, Token } from 'micromark-util-types';

/** Length of `\n<td></td>`, a cell missing in a row. */
const emptyCellLength = 10;
/** Length of a footnote reference and its back-reference, without the label. */
const footnoteCallLength = 200;

/** An open link or image. `id` is its reference to a definition; absent if it has its own URL. */
interface Medium {
  readonly isImage: boolean;
  id: Event | undefined;
}

type Lengths = ReadonlyMap<string, number>;

/** Returns what each definition adds to a link that refers to it, in UTF-16 units. micromark decodes the URLs. */
const definitionLengths = (events: readonly Event[], options: Options): Lengths => {
  const ofDefinitions: Event[] = [];
  let isInside = false;
  for (const event of events) {
    const isDefinition = event[1].type === 'definition';
    if (isDefinition) isInside = event[0] === 'enter';
    if (isInside || isDefinition) ofDefinitions.push(event);
  }
  if (ofDefinitions.length === 0) return new Map();
  let definitions: CompileData['definitions'] = {};
  const reader: HtmlExtension = {
    enter: {
      null() {
        definitions = this.getData('definitions');
        return undefined;
      },
    },
  };
  compile({ ...options, htmlExtensions: [reader] })(ofDefinitions);
  return new Map(
    Object.entries(definitions).map(([id, { destination, title }]) => [
      id,
      sanitizeUri(destination).length + (title?.length ?? 0),
    ]),
  );
};

const countColumns = (token: Token): number => token._align?.length ?? 0;

/**
 * Returns whether the HTML of these events certainly exceeds `max` UTF-16 units, before any of it is written. Counts
 * what can outgrow its source: missing cells, repeated URLs of references, and footnotes. Everything else is at most
 * about ten times its source.
 */
export const exceedsLength = (events: readonly Event[], max: number, options: Options): boolean => {
  let definitions: Lengths | undefined;
  let length = 0;
  let columns = 0;
  let cells = 0;
  let images = 0;
  const media: Medium[] = [];
  for (const event of events) {
    const [kind, token, context] = event;
    const isEnter = kind === 'enter';
    switch (token.type) {
      case 'table':
        if (isEnter) columns = countColumns(token);
        break;
      case 'tableRow':
        if (isEnter) cells = 0;
        else length += Math.max(0, columns - cells) * emptyCellLength;
        break;
      case 'tableHeader':
      case 'tableData':
        if (isEnter) cells++;
        break;
      case 'gfmFootnoteCall':
        // Images contain only text.
        if (isEnter && images === 0) length += footnoteCallLength;
        break;
      case 'labelText':
      case 'referenceString': {
        const medium = media.at(-1);
        if (!isEnter && medium) medium.id = event;
        break;
      }
      case 'resource': {
        const medium = media.at(-1);
        if (medium) medium.id = undefined;
        break;
      }
      case 'link':
      case 'image': {
        const isImage = token.type === 'image';
        if (isEnter) {
          media.push({ isImage, id: undefined });
          images += Number(isImage);
          break;
        }
        const { id } = media.pop() ?? {};
        images -= Number(isImage);
        if (id === undefined || images > 0) break;
        definitions ??= definitionLengths(events, options);
        length += definitions.get(normalizeIdentifier(context.sliceSerialize(id[1]))) ?? 0;
        break;
      }
    }
    if (length > max) return true;
  }
  return false;
};
