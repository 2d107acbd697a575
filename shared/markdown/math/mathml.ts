import temml from 'temml';
import { countBytes } from '../../text/count-bytes.ts';
import { escapeHtml } from '../../text/html.ts';
import { atStart, isLength, LengthLimiter, type Surroundings } from './lengths.ts';

/** Renders TeX as MathML, or returns `undefined` to leave it as text. */
export type RenderMath = (tex: string, isDisplay: boolean) => string | undefined;

/** The maximum length of an expression in UTF-16 units. */
const maxLength = 8 * 1024;
/** CPU time in microseconds after which math stays as text, so that it never fails a conversion. */
const maxCpu = 1_000_000;

const elements = new Set(
  'math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'.split(
    ' ',
  ),
);

const color = /^#[0-9a-f]{3,8}$|^[a-z]{3,20}$/i;
const truth = /^(?:true|false)$/;
const word = /^[a-z -]{1,40}$/;

/** The attributes that the result has besides lengths, by the form of their values. All others are left out. */
const attributes: Readonly<Record<string, RegExp>> = {
  ...{ accent: truth, accentunder: truth, displaystyle: truth, fence: truth },
  ...{ largeop: truth, movablelimits: truth, separator: truth, stretchy: truth, symmetric: truth },
  ...{ mathbackground: color, mathcolor: color, scriptlevel: /^[0-3]$/ },
  ...{ columnalign: word, display: /^block$/, form: word, mathvariant: word, notation: word },
  ...{ columnspan: /^\d{1,3}$/, rowspan: /^\d{1,3}$/ },
};

const className = /^(?:tml-[a-z-]{1,20}|upstrike|downstrike|sout)$/;

/** A node of temml’s result. Fragments have no type, texts have only a text. */
interface MathNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly classes?: readonly string[];
  readonly style?: Readonly<Record<string, unknown>>;
  readonly children?: readonly MathNode[];
}

/** The part of temml that its types name otherwise. */
const { __renderToMathMLTree: toTree } = temml as unknown as {
  readonly __renderToMathMLTree: (tex: string, options: object) => MathNode;
};

/** The sides of a cell that styles of temml name. */
const sides = ['Top', 'Right', 'Bottom', 'Left'] as const;

/** Returns the classes that stand for inline styles, which the pages' policy forbids. */
const toClasses = (type: string, style: Readonly<Record<string, unknown>>): string[] => [
  ...(type !== 'mtd' && style['border'] ? ['tml-fbox'] : []),
  ...(type === 'mtd'
    ? sides.flatMap((side) => [
        ...(style[`border${side}`] ? [`tml-line-${side.toLowerCase()}`] : []),
        ...(/^0/.test(String(style[`padding${side}`])) ? [`tml-flush-${side.toLowerCase()}`] : []),
      ])
    : []),
];

const toClassName = ({ type = '', style = {}, classes = [] }: MathNode): string =>
  [...classes.flatMap((name) => name.split(' ')), ...toClasses(type, style)]
    .filter((name) => className.test(name))
    .join(' ');

/** From this many characters and halves of em on, a formula within a line may be wider than a phone. */
const wideFrom = 32;

/** Writes one formula: only known elements and attributes, bounded lengths, and texts escaped. */
class FormulaWriter {
  readonly #lengths = new LengthLimiter();
  #characters = 0;

  #readAttributes(node: MathNode, around: Surroundings): Map<string, string> {
    const color = node.style?.['color'];
    const all = {
      ...node.attributes,
      ...(color !== undefined && color !== '' && { mathcolor: color }),
    };
    const kept = new Map<string, string>();
    for (const [name, value] of Object.entries(all)) {
      const text = String(value);
      if (isLength(name)) {
        const limited = this.#lengths.limit(name, text, around);
        if (limited !== undefined) kept.set(name, limited);
      } else if (Object.hasOwn(attributes, name) && attributes[name]?.test(text)) {
        kept.set(name, text);
      }
    }
    const classes = toClassName(node);
    if (classes !== '') kept.set('class', classes);
    return kept;
  }

  #write(node: MathNode, around: Surroundings): string {
    if (node.text !== undefined) {
      this.#characters += node.text.length;
      return escapeHtml(node.text);
    }
    const isFragment = node.type === undefined && !node.attributes && !('href' in node);
    const { type = '', children = [] } = node;
    if (!isFragment && !elements.has(type)) throw new Error(`MathML has no element ${type}`);
    const kept = isFragment ? new Map<string, string>() : this.#readAttributes(node, around);
    const within = this.#lengths.enter(kept, around);
    const inner = children.map((child) => this.#write(child, within)).join('');
    if (isFragment) return inner;
    const isWide = this.#characters + 2 * this.#lengths.across >= wideFrom;
    if (type === 'math' && isWide && !kept.has('display')) kept.set('class', 'tml-wide');
    const written = Array.from(kept, ([name, value]) => ` ${name}="${value}"`).join('');
    return `<${type}${written}>${inner}</${type}>`;
  }

  write(tree: MathNode): string {
    return this.#write(tree, atStart);
  }
}

/**
 * Creates the renderer of one conversion, with a clock in microseconds of CPU time. Leaves as text what isn’t TeX, what
 * is long, and what exceeds the time or `maxBytes` (UTF-8) in all.
 */
export const createMathRenderer = (usedCpu: () => number, maxBytes: number): RenderMath => {
  const start = usedCpu();
  let bytesLeft = maxBytes;
  return (tex, isDisplay) => {
    if (tex.trim() === '' || tex.length > maxLength || usedCpu() - start > maxCpu) return undefined;
    try {
      const options = { displayMode: isDisplay, throwOnError: true };
      const markup = new FormulaWriter().write(toTree(tex, options));
      const bytes = countBytes(markup);
      if (bytes > bytesLeft) return undefined;
      bytesLeft -= bytes;
      return markup;
    } catch {
      // Not TeX, or nested too deeply for the stack.
      return undefined;
    }
  };
};
