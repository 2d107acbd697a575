import type { AttributeType, Item } from '../values/attribute-value.ts';
import { getType } from '../values/attribute-value.ts';
import { isReserved } from './reserved-words.ts';
import { TokenReader } from './tokens.ts';

/** A part of a document path: a name, a name of ExpressionAttributeNames, or an index of a list. */
export type PathPart = string | number | { readonly alias: string };
export type Path = readonly PathPart[];

export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Operand[] };

/** The names and values of a request. */
export interface Bindings {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

/** Checks an expression with the values of a request; throws a ServiceError. */
export type Check = (bindings: Bindings) => void;

/** Returns a path with names in the place of aliases. */
export const resolvePath = (path: Path, { names }: Bindings): (string | number)[] =>
  path.map((part) => (typeof part === 'object' ? (names[part.alias] as string) : part));

/** Formats a path as in AWS's messages. */
export const showPath = (path: readonly (string | number)[]): string =>
  `[${path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`;

/** Returns the type of a literal operand, if it is one. */
export const literalType = (
  operand: Operand | undefined,
  { values }: Bindings,
): AttributeType | undefined => {
  if (operand?.kind !== 'value') return undefined;
  const value = values[operand.name];
  return value && getType(value);
};

/** Parses the parts that all expressions share, and collects what a request must define. */
export class OperandParser {
  readonly reader: TokenReader;
  readonly aliases = new Set<string>();
  readonly values = new Set<string>();
  readonly checks: Check[] = [];
  #reserved: string | undefined;

  constructor(source: string, label: string) {
    this.reader = new TokenReader(source, label);
  }

  /** Ends the parsing. Reserved words are reported only if the syntax is correct. */
  end(): void {
    this.reader.assertEnd();
    if (this.#reserved === undefined) return;
    throw this.reader.error(
      `Attribute name is a reserved keyword; reserved keyword: ${this.#reserved}`,
    );
  }

  #name(): PathPart {
    const { kind, text } = this.reader.peek();
    if (kind !== 'name' && kind !== 'alias') throw this.reader.syntaxError();
    this.reader.next();
    if (kind === 'alias') {
      this.aliases.add(text);
      return { alias: text };
    }
    if (isReserved(text)) this.#reserved ??= text;
    return text;
  }

  path(): Path {
    const path = [this.#name()];
    for (;;) {
      if (this.reader.accept('.')) path.push(this.#name());
      else if (this.reader.accept('[')) {
        if (this.reader.peek().kind !== 'number') throw this.reader.syntaxError();
        path.push(Number(this.reader.next().text));
        this.reader.expect(']');
      } else return path;
    }
  }

  /** Parses a path, a value or a call of a function. */
  operand(): Operand {
    const { kind, text } = this.reader.peek();
    if (kind === 'value') {
      this.reader.next();
      this.values.add(text);
      return { kind: 'value', name: text };
    }
    if (kind === 'name' && this.reader.peek(1).text === '(') return this.#call();
    return { kind: 'path', path: this.path() };
  }

  #call(): Operand {
    const { text: name } = this.reader.next();
    const args: Operand[] = [];
    this.reader.expect('(');
    do args.push(this.operand());
    while (this.reader.accept(','));
    this.reader.expect(')');
    return { kind: 'call', name, args };
  }

  /** Rejects a call with another number of operands. */
  assertArity(name: string, args: readonly Operand[], expected: number | undefined): void {
    if (expected === undefined) {
      throw this.reader.error(`Invalid function name; function: ${name}`);
    }
    if (args.length === expected) return;
    throw this.reader.error(
      `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${args.length}`,
    );
  }

  assertPath(name: string, operand: Operand | undefined): void {
    if (operand?.kind === 'path') return;
    throw this.reader.error(
      `Operator or function requires a document path; operator or function: ${name}`,
    );
  }

  /** Adds a check that literal operands have one of these types. */
  checkTypes(name: string, operands: readonly Operand[], types: readonly AttributeType[]): void {
    const { reader } = this;
    this.checks.push((bindings) => {
      for (const operand of operands) {
        const type = literalType(operand, bindings);
        if (type === undefined || types.includes(type)) continue;
        throw reader.error(
          `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`,
        );
      }
    });
  }
}
