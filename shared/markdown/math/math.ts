import { math } from 'micromark-extension-math';
import type { Event, Extension, HtmlExtension, Token } from 'micromark-util-types';
import { mathText } from './math-text.ts';
import type { RenderMath } from './mathml.ts';

const dollar = 36;

const { flow } = math();

/** Math in blocks and within texts, or within texts only: a block that doesn't end would take in the rest of a document. */
export const mathSyntax = (withBlocks: boolean): Extension => ({
  ...(withBlocks && flow && { flow }),
  text: { [dollar]: mathText },
});

/** What the math of a document is. */
export interface MathFound {
  readonly count: number;
  /** Whether there is a block without its closing dollar signs. */
  readonly hasOpenBlock: boolean;
  /** Math in the descriptions of images, which are texts. */
  readonly plain: ReadonlySet<Token>;
}

/** Finds the math of a parsed document. */
export const findMath = (events: readonly Event[]): MathFound => {
  const plain = new Set<Token>();
  let count = 0;
  let images = 0;
  let fences = 0;
  let hasOpenBlock = false;
  for (const [kind, token] of events) {
    const isEnter = kind === 'enter';
    if (token.type === 'image') images += isEnter ? 1 : -1;
    else if (token.type === 'mathText' && isEnter) {
      count++;
      if (images > 0) plain.add(token);
    } else if (token.type === 'mathFlowFence' && isEnter) fences++;
    else if (token.type === 'mathFlow') {
      if (isEnter) {
        count++;
        fences = 0;
      } else hasOpenBlock ||= fences < 2;
    }
  }
  return { count, hasOpenBlock, plain };
};

const delimiters = /^(?:\$`|\$+)|(?:`\$|\$+)[ \t]*$/g;

/** Compiles math to MathML. What can't be rendered stays as it was written. */
export const mathHtml = (render: RenderMath, plain: ReadonlySet<Token>): HtmlExtension => ({
  enter: {
    mathText() {
      this.buffer();
      return undefined;
    },
    mathFlow() {
      this.lineEndingIfNeeded();
      this.buffer();
      return undefined;
    },
  },
  exit: {
    mathText(token) {
      this.resume();
      const source = this.sliceSerialize(token);
      const tex = source.replace(delimiters, '');
      const rendered = plain.has(token) ? undefined : render(tex, source.startsWith('$$'));
      if (rendered === undefined) this.raw(this.encode(source));
      else this.tag(rendered);
      return undefined;
    },
    mathFlow(token) {
      this.resume();
      const source = this.sliceSerialize(token);
      const rendered = render(source.replace(delimiters, ''), true);
      this.tag(rendered ?? `<p>${this.encode(source)}</p>`);
      return undefined;
    },
  },
});
