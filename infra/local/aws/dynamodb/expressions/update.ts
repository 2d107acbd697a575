import {
  type Bindings,
  type Operand,
  OperandParser,
  type Path,
  resolvePath,
  showPath,
} from './operands.ts';

export type UpdateAction =
  | { readonly kind: 'set'; readonly path: Path; readonly operand: Operand }
  | { readonly kind: 'remove'; readonly path: Path }
  | { readonly kind: 'add' | 'delete'; readonly path: Path; readonly operand: Operand };

const typeNames: Readonly<Record<string, string>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  NULL: 'NULL',
  BOOL: 'BOOLEAN',
  L: 'LIST',
  M: 'MAP',
};

/** Parses update expressions. */
export class UpdateParser extends OperandParser {
  parse(): UpdateAction[] {
    const actions: UpdateAction[] = [];
    const sections = {
      SET: () => this.#set(),
      REMOVE: (): UpdateAction => ({ kind: 'remove', path: this.path() }),
      ADD: () => this.#change('add'),
      DELETE: () => this.#change('delete'),
    };
    const seen = new Set<string>();
    do {
      const section = Object.entries(sections).find(([name]) => this.reader.accept(name));
      if (!section) throw this.reader.syntaxError();
      const [name, parseAction] = section;
      if (seen.has(name)) {
        throw this.reader.error(
          `The "${name}" section can only be used once in an update expression;`,
        );
      }
      seen.add(name);
      do actions.push(parseAction());
      while (this.reader.accept(','));
    } while (this.reader.peek().kind !== 'end');
    this.end();
    this.checks.unshift((bindings) => this.#assertDisjoint(actions, bindings));
    return actions;
  }

  #set(): UpdateAction {
    const path = this.path();
    this.reader.expect('=');
    return { kind: 'set', path, operand: this.#sum() };
  }

  #change(kind: 'add' | 'delete'): UpdateAction {
    const path = this.path();
    const operand = this.operand();
    if (operand.kind !== 'value') throw this.reader.syntaxError();
    const { reader } = this;
    this.checks.push(({ values }) => {
      const [type = ''] = Object.keys(values[operand.name] ?? {});
      if (!typeNames[type] || (kind === 'add' && type === 'N')) return;
      throw reader.error(
        `Incorrect operand type for operator or function; operator: ${kind.toUpperCase()}, operand type: ${typeNames[type]}`,
      );
    });
    return { kind, path, operand };
  }

  /** Parses a value, or the sum or difference of two. */
  #sum(): Operand {
    const left = this.#term();
    const name = ['+', '-'].find((symbol) => this.reader.accept(symbol));
    if (!name) return left;
    const args = [left, this.#term()];
    this.checkTypes(name, args, ['N']);
    return { kind: 'call', name, args };
  }

  #term(): Operand {
    if (this.reader.accept('(')) {
      const inner = this.#sum();
      this.reader.expect(')');
      return inner;
    }
    const operand = this.operand();
    if (operand.kind === 'call') this.#checkCall(operand.name, operand.args);
    return operand;
  }

  #checkCall(name: string, args: readonly Operand[]): void {
    const isKnown = name === 'if_not_exists' || name === 'list_append';
    this.assertArity(name, args, isKnown ? 2 : undefined);
    for (const arg of args) if (arg.kind === 'call') this.#checkCall(arg.name, arg.args);
    if (name === 'if_not_exists') this.assertPath(name, args[0]);
    else this.checkTypes(name, args, ['L']);
  }

  #assertDisjoint(actions: readonly UpdateAction[], bindings: Bindings): void {
    const byHead = new Map<string | number, (string | number)[][]>();
    for (const action of actions) {
      const path = resolvePath(action.path, bindings);
      const [head = ''] = path;
      const others = byHead.get(head) ?? [];
      for (const other of others) this.#assertSeparate(other, path);
      byHead.set(head, [...others, path]);
    }
  }

  #assertSeparate(first: readonly (string | number)[], second: readonly (string | number)[]): void {
    const length = Math.min(first.length, second.length);
    const differing = first.slice(0, length).findIndex((part, at) => part !== second[at]);
    if (differing !== -1 && typeof first[differing] === typeof second[differing]) return;
    const what = differing === -1 ? 'overlap' : 'conflict';
    throw this.reader.error(
      `Two document paths ${what} with each other; must remove or rewrite one of these paths; path one: ${showPath(first)}, path two: ${showPath(second)}`,
    );
  }
}
