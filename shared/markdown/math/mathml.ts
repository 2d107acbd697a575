import temml from 'temml';
import { escapeHtml } from '../../text/html.ts';

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

const length = /^-?\d{0,4}(?:\.\d+)?(?:em|ex|pt|px|mu|cm|mm|in|%|width|height|depth)?$/;
const color = /^#[0-9a-f]{3,8}$|^[a-z]{3,20}$/i;
const truth = /^(?:true|false)$/;
const word = /^[a-z -]{1,40}$/;

/** The attributes that the result has, by the form of their values. All other attributes are left out. */
const attributes: Readonly<Record<string, RegExp>> = {
  ...{ accent: truth, accentunder: truth, displaystyle: truth, fence: truth },
  ...{ largeop: truth, movablelimits: truth, separator: truth, stretchy: truth, symmetric: truth },
  ...{ depth: length, height: length, linethickness: length, lspace: length, mathsize: length },
  ...{ maxsize: length, minsize: length, rspace: length, voffset: length, width: length },
  ...{ mathbackground: color, mathcolor: color, scriptlevel: /^[+-]?\d$/ },
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

const writeAttributes = ({ type = '', style = {}, ...node }: MathNode): string => {
  const all: Record<string, unknown> = { ...node.attributes };
  if (style['color']) all['mathcolor'] = style['color'];
  const classes = [
    ...(node.classes ?? []).flatMap((name) => name.split(' ')),
    ...toClasses(type, style),
  ]
    .filter((name) => className.test(name))
    .join(' ');
  const kept = Object.entries(all).filter(([name, value]) =>
    Object.hasOwn(attributes, name) ? attributes[name]?.test(String(value)) : false,
  );
  if (classes !== '') kept.push(['class', classes]);
  return kept.map(([name, value]) => ` ${name}="${value}"`).join('');
};

/** Writes a tree as markup: only known elements and attributes, and texts escaped. */
const write = (node: MathNode): string => {
  if (node.text !== undefined) return escapeHtml(node.text);
  const inner = (node.children ?? []).map(write).join('');
  if (node.type === undefined && !node.attributes && !('href' in node)) return inner;
  const { type = '' } = node;
  if (!elements.has(type)) throw new Error(`MathML has no element ${type}`);
  return `<${type}${writeAttributes(node)}>${inner}</${type}>`;
};

/**
 * Creates the renderer of one conversion, with a clock in microseconds of CPU time. Leaves as text what isn’t TeX, what
 * is long, and what exceeds the time or `maxBytes` (UTF-8) in all.
 */
export const createMathRenderer = (usedCpu: () => number, maxBytes: number): RenderMath => {
  const start = usedCpu();
  const encoder = new TextEncoder();
  let bytesLeft = maxBytes;
  return (tex, isDisplay) => {
    if (tex.trim() === '' || tex.length > maxLength || usedCpu() - start > maxCpu) return undefined;
    try {
      const options = { displayMode: isDisplay, throwOnError: true };
      const markup = write(toTree(tex, options));
      const bytes = encoder.encode(markup).length;
      if (bytes > bytesLeft) return undefined;
      bytesLeft -= bytes;
      return markup;
    } catch {
      // Not TeX, or nested too deeply for the stack.
      return undefined;
    }
  };
};
