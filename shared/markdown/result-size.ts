import { compile, type Options } from 'micromark';
// What it adds to the types of tokens.
import type {} from 'micromark-extension-gfm-table';
import { normalizeIdentifier } from 'micromark-util-normalize-identifier';
import { sanitizeUri } from 'micromark-util-sanitize-uri';
import type { CompileData, Event, HtmlExtension, Token } from 'micromark-util-types';

/** `\n<td></td>`: the cell that a row doesn't have. */
const emptyCellLength = 10;
/** What a call of a footnote and its way back are written as, without its label. */
const footnoteCallLength = 200;

/** A link or image that is open. `id` is how it refers to a definition; none when it has its own address. */
interface Medium {
  readonly isImage: boolean;
  id: Event | undefined;
}

type Lengths = ReadonlyMap<string, number>;

/** What each definition puts into each link that refers to it, in UTF-16 units. micromark itself decodes them. */
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
 * Whether the HTML of these events is sure to be longer than `max` UTF-16 units, found before any of it is written.
 * It counts what can outgrow its source: the cells that rows don't have, the addresses that references repeat, and
 * footnotes. All else is at most some ten times its source.
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
        // Nothing but text is written of what stands in an image.
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
