import type { AttributeValue } from '../values/attribute-value.ts';
import { compareValues } from '../values/compare.ts';
import {
  type Bindings,
  literalType,
  type Operand,
  OperandParser,
  resolvePath,
  showPath,
} from './operands.ts';

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { readonly kind: 'compare'; readonly operator: Comparator; readonly args: readonly Operand[] }
  | { readonly kind: 'between' | 'in'; readonly args: readonly Operand[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Operand[] }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition };

const sizedTypes = ['S', 'B', 'SS', 'NS', 'BS', 'L', 'M'] as const;
const allTypes: readonly string[] = [...sizedTypes, 'N', 'BOOL', 'NULL'];
const comparators: readonly string[] = ['=', '<>', '<', '<=', '>', '>='];

const arities: Readonly<Record<string, number>> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
  size: 1,
};

type Parsed = Condition | Operand;

const isCondition = (parsed: Parsed): parsed is Exclude<Condition, { kind: 'call' }> =>
  ['compare', 'between', 'in', 'and', 'or', 'not'].includes(parsed.kind);

/** Parses conditions: of writes, of filters and of keys. */
export class ConditionParser extends OperandParser {
  readonly #wrapped = new WeakSet<Parsed>();

  parse(): Condition {
    const condition = this.#toCondition(this.#or());
    this.end();
    return condition;
  }

  #or(): Parsed {
    return this.#chain('or', () => this.#and());
  }

  #and(): Parsed {
    return this.#chain('and', () => this.#not());
  }

  #chain(kind: 'and' | 'or', parsePart: () => Parsed): Parsed {
    const first = parsePart();
    if (!this.reader.accept(kind.toUpperCase())) return first;
    const parts = [this.#toCondition(first)];
    do parts.push(this.#toCondition(parsePart()));
    while (this.reader.accept(kind.toUpperCase()));
    return { kind, parts };
  }

  #not(): Parsed {
    if (this.reader.accept('NOT')) return { kind: 'not', part: this.#toCondition(this.#not()) };
    return this.#comparison();
  }

  /** Accepts conditions and functions that return a boolean. */
  #toCondition(parsed: Parsed): Condition {
    if (isCondition(parsed)) return parsed;
    if (parsed.kind !== 'call') throw this.reader.syntaxError();
    if (parsed.name === 'size') throw this.#misused(parsed.name);
    return parsed;
  }

  #comparison(): Parsed {
    const left = this.#term();
    const { kind, text } = this.reader.peek();
    if (kind === 'symbol' && comparators.includes(text)) {
      this.reader.next();
      const args = this.#toOperands([left, this.#term()]);
      this.#checkDistinct(text, args);
      if (text !== '=' && text !== '<>') this.checkTypes(text, args, ['S', 'N', 'B']);
      return { kind: 'compare', operator: text as Comparator, args };
    }
    if (this.reader.accept('BETWEEN')) {
      const low = this.#term();
      this.reader.expect('AND');
      const args = this.#toOperands([left, low, this.#term()]);
      this.checkTypes('BETWEEN', args, ['S', 'N', 'B']);
      this.#checkBounds(args);
      return { kind: 'between', args };
    }
    if (this.reader.accept('IN')) {
      const args = [left];
      this.reader.expect('(');
      do args.push(this.#term());
      while (this.reader.accept(','));
      this.reader.expect(')');
      return { kind: 'in', args: this.#toOperands(args) };
    }
    return left;
  }

  /** Parses an operand, or an operand or a condition in parentheses. */
  #term(): Parsed {
    if (!this.reader.accept('(')) {
      const operand = this.operand();
      if (operand.kind === 'call') this.#checkCall(operand.name, operand.args);
      return operand;
    }
    const inner = this.#or();
    this.reader.expect(')');
    if (this.#wrapped.has(inner)) {
      throw this.reader.error('The expression has redundant parentheses;');
    }
    this.#wrapped.add(inner);
    return inner;
  }

  #misused(name: string): Error {
    return this.reader.error(
      `The function is not allowed to be used this way in an expression; function: ${name}`,
    );
  }

  /** Only `size` can be compared. */
  #toOperands(args: readonly Parsed[]): Operand[] {
    return args.map((arg) => {
      if (isCondition(arg)) throw this.reader.syntaxError();
      if (arg.kind === 'call' && arg.name !== 'size') throw this.#misused(arg.name);
      return arg;
    });
  }

  #checkCall(name: string, args: readonly Operand[]): void {
    this.assertArity(name, args, Object.hasOwn(arities, name) ? arities[name] : undefined);
    this.#toOperands(args);
    this.#checkDistinct(name, args);
    const [first, second] = args as [Operand, Operand];
    if (name.startsWith('attribute_') && name !== 'attribute_type') this.assertPath(name, first);
    if (name === 'begins_with') this.checkTypes(name, args, ['S', 'B']);
    if (name === 'size') this.checkTypes(name, args, sizedTypes);
    if (name === 'attribute_type') this.#checkTypeName(second);
  }

  #checkTypeName(operand: Operand): void {
    this.checks.push((bindings) => {
      const type = literalType(operand, bindings) ?? '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}';
      if (type !== 'S') {
        throw this.reader.error(
          `Incorrect operand type for operator or function; operator or function: attribute_type, operand type: ${type}`,
        );
      }
      const { S = '' } = (operand.kind === 'value' && bindings.values[operand.name]) || {};
      if (allTypes.includes(S)) return;
      throw this.reader.error(
        `Invalid attribute type name found; type: ${S}, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}`,
      );
    });
  }

  #checkDistinct(name: string, args: readonly Operand[]): void {
    const [first, second] = args;
    if (args.length !== 2 || first?.kind !== 'path' || second?.kind !== 'path') return;
    const paths = [first.path, second.path];
    this.checks.push((bindings) => {
      const [left, right] = paths.map((path) => showPath(resolvePath(path, bindings)));
      if (left !== right) return;
      throw this.reader.error(
        `The first operand must be distinct from the remaining operands for this operator or function; operator: ${name}, first operand: ${left}`,
      );
    });
  }

  #checkBounds([, low, high]: readonly Operand[]): void {
    const literal = (operand: Operand | undefined, { values }: Bindings) =>
      operand?.kind === 'value' ? values[operand.name] : undefined;
    this.checks.push((bindings) => {
      const bounds = [literal(low, bindings), literal(high, bindings)] as const;
      if (!bounds[0] || !bounds[1]) return;
      const order = compareValues(...(bounds as [AttributeValue, AttributeValue]));
      if (order !== undefined && order <= 0) return;
      const [lower, upper] = bounds.map((bound) =>
        Object.entries(bound ?? {}).map(([type, content]) => `{${type}:${content}}`),
      );
      throw this.reader.error(
        `The BETWEEN operator requires ${
          order === undefined
            ? 'same data type for lower and upper bounds'
            : 'upper bound to be greater than or equal to lower bound'
        }; lower bound operand: AttributeValue: ${lower}, upper bound operand: AttributeValue: ${upper}`,
      );
    });
  }
}
