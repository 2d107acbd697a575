import { validationError } from '../service-error.ts';

export interface Token {
  readonly kind: 'name' | 'alias' | 'value' | 'number' | 'symbol' | 'end';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const PATTERN =
  /\s*(?:(?<name>[a-z_]\w*)|(?<alias>#\w+)|(?<value>:\w+)|(?<number>\d+)|(?<symbol><=|>=|<>|\S))/iy;

const tokenize = (source: string): Token[] => {
  const tokens: Token[] = [];
  PATTERN.lastIndex = 0;
  for (let match = PATTERN.exec(source); match?.groups; match = PATTERN.exec(source)) {
    const end = match.index + match[0].length;
    for (const [kind, text] of Object.entries(match.groups)) {
      if (text === undefined) continue;
      tokens.push({ kind: kind as Token['kind'], text, start: end - text.length, end });
    }
  }
  tokens.push({ kind: 'end', text: '<EOF>', start: source.length, end: source.length });
  return tokens;
};

/** Reads the tokens of an expression one after another. `label` names the expression in errors. */
export class TokenReader {
  readonly label: string;
  readonly #source: string;
  readonly #tokens: Token[];
  #at = 0;

  constructor(source: string, label: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
    this.label = label;
    if (this.peek().kind === 'end') throw this.error('The expression can not be empty;');
  }

  peek(ahead = 0): Token {
    return (this.#tokens[this.#at + ahead] ?? this.#tokens.at(-1)) as Token;
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  /** Consumes a symbol or a keyword in any case, if it is next. */
  accept(text: string): boolean {
    const { kind, text: found } = this.peek();
    const isNext = (kind === 'symbol' || kind === 'name') && found.toUpperCase() === text;
    if (isNext) this.#at++;
    return isNext;
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.syntaxError();
  }

  assertEnd(): void {
    if (this.peek().kind !== 'end') throw this.syntaxError();
  }

  error(message: string): Error {
    return validationError(`Invalid ${this.label}: ${message}`);
  }

  /** Creates the error for the next token, quoting its neighbors. */
  syntaxError(): Error {
    const { text, start } = this.peek();
    const near = this.#source.slice(this.#tokens[this.#at - 1]?.start ?? start, this.peek(1).end);
    return this.error(`Syntax error; token: "${text}", near: "${near}"`);
  }
}
