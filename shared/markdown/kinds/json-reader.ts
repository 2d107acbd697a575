import { pattern } from '../../text/pattern.ts';

const unescaped = String.raw`[^"\\\x00-\x1f]*`;
const string = String.raw`"${unescaped}(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})${unescaped})*"`;
const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;

/** What a JSON text consists of (RFC 8259): whitespace, then a token. */
const tokens = pattern(
  String.raw`[ \t\r\n]*(?:([{}[\],:])|(${string})|(${number})|(true|false|null))`,
  'y',
)();

/** Kinds of values that have no others in them. */
export type ScalarKind = 'string' | 'number' | 'literal';

/** What reads a JSON text. All texts are as in the source. */
export interface JsonVisitor {
  /** A value begins: that of a key, of an index in an array, or the whole. */
  readonly value: (key: string | number | undefined) => void;
  readonly scalar: (kind: ScalarKind, text: string) => void;
  readonly open: (bracket: '{' | '[') => void;
  readonly close: (count: number) => void;
}

/** A text that isn’t JSON, or nests too deep. `at` is where in UTF-16 units. */
export class JsonError extends Error {
  readonly at: number;
  readonly isTooDeep: boolean;

  constructor(at: number, isTooDeep = false) {
    super(isTooDeep ? 'The JSON is nested too deep' : 'The text isn’t JSON');
    this.at = at;
    this.isTooDeep = isTooDeep;
  }
}

type TokenKind = 'mark' | ScalarKind | 'end';

/** Reads a text token by token. */
class Tokens {
  kind: TokenKind = 'end';
  text = '';
  /** Where the token ends, and the next begins. */
  #end = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
    this.next();
  }

  /** Reads the next token. @throws JsonError if there is none, but the text goes on */
  next(): void {
    tokens.lastIndex = this.#end;
    const found = tokens.exec(this.#source);
    if (!found) {
      const rest = /[^ \t\r\n]/g;
      rest.lastIndex = this.#end;
      const at = rest.exec(this.#source)?.index;
      if (at !== undefined) throw new JsonError(at);
      [this.kind, this.text, this.#end] = ['end', '', this.#source.length];
      return;
    }
    const [, mark, string, number, literal] = found;
    this.kind = mark ? 'mark' : string ? 'string' : number ? 'number' : 'literal';
    this.text = mark ?? string ?? number ?? literal ?? '';
    this.#end = tokens.lastIndex;
  }

  fail(isTooDeep = false): never {
    throw new JsonError(Math.max(0, this.#end - this.text.length), isTooDeep);
  }

  /** Whether the token is a mark, which is then passed. */
  pass(mark: string): boolean {
    if (this.kind !== 'mark' || this.text !== mark) return false;
    this.next();
    return true;
  }

  /** Passes a mark. @throws JsonError */
  expect(mark: string): void {
    if (!this.pass(mark)) this.fail();
  }
}

/**
 * Reads a JSON text strictly, without losing anything: duplicate keys, long numbers and escapes reach the visitor as they were
 * written, which `JSON.parse` doesn’t keep. @throws JsonError, for more than `maxDepth` levels, too
 */
export const readJson = (source: string, maxDepth: number, visitor: JsonVisitor): void => {
  const read = new Tokens(source);

  const readMember = (index: number, isObject: boolean, depth: number): void => {
    let key: string | number = index;
    if (isObject) {
      if (read.kind !== 'string') read.fail();
      key = read.text;
      read.next();
      read.expect(':');
    }
    readValue(key, depth);
  };

  const readContainer = (bracket: '{' | '[', depth: number): void => {
    if (depth > maxDepth) read.fail(true);
    visitor.open(bracket);
    read.next();
    const end = bracket === '{' ? '}' : ']';
    let count = 0;
    if (!read.pass(end)) {
      do {
        readMember(count, bracket === '{', depth);
        count += 1;
      } while (read.pass(','));
      read.expect(end);
    }
    visitor.close(count);
  };

  const readValue = (key: string | number | undefined, depth: number): void => {
    const { kind, text } = read;
    if (text === '{' || text === '[') {
      visitor.value(key);
      readContainer(text, depth + 1);
    } else if (kind === 'mark' || kind === 'end') read.fail();
    else {
      visitor.value(key);
      visitor.scalar(kind, text);
      read.next();
    }
  };

  readValue(undefined, 0);
  if (read.kind !== 'end') read.fail();
};
