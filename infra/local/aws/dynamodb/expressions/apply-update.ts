import { validationError } from '../service-error.ts';
import {
  type AttributeType,
  type AttributeValue,
  getType,
  type Item,
} from '../values/attribute-value.ts';
import { addNumbers } from '../values/number.ts';
import { readPath } from './evaluate.ts';
import { type Bindings, type Operand, resolvePath } from './operands.ts';
import type { UpdateAction } from './update.ts';

const wrongType = () =>
  validationError('An operand in the update expression has an incorrect data type');

const required = <T>(value: T | undefined, error: () => Error): T => {
  if (value === undefined) throw error();
  return value;
};

const missingAttribute = () =>
  validationError('The provided expression refers to an attribute that does not exist in the item');

/** Returns the new value of SET. All operands are read before any change. */
const compute = (operand: Operand, item: Item, bindings: Bindings): AttributeValue => {
  if (operand.kind === 'path') {
    return required(readPath(item, operand.path, bindings), missingAttribute);
  }
  if (operand.kind === 'value') return bindings.values[operand.name] as AttributeValue;
  const [first, second] = operand.args as [Operand, Operand];
  if (operand.name === 'if_not_exists') {
    const present = first.kind === 'path' ? readPath(item, first.path, bindings) : undefined;
    return present ?? compute(second, item, bindings);
  }
  const [left, right] = [compute(first, item, bindings), compute(second, item, bindings)];
  if (operand.name === 'list_append') {
    return { L: [...required(left.L, wrongType), ...required(right.L, wrongType)] };
  }
  const numbers = [required(left.N, wrongType), required(right.N, wrongType)] as const;
  return { N: addNumbers(...numbers, operand.name === '-' ? -1 : 1) };
};

const setTypes: readonly AttributeType[] = ['SS', 'NS', 'BS'];

/** Returns the result of ADD: a sum, a union of sets, or a longer list. */
const addTo = (present: AttributeValue | undefined, added: AttributeValue): AttributeValue => {
  if (!present) return added;
  const type = getType(added);
  if (getType(present) !== type) throw wrongType();
  if (present.N !== undefined) return { N: addNumbers(present.N, added.N as string) };
  if (present.L) return { L: [...present.L, ...(added.L ?? [])] };
  return { [type]: [...new Set([...(present[type] as string[]), ...(added[type] as string[])])] };
};

/** Returns the rest of a set after DELETE; undefined if nothing is left. */
const deleteFrom = (
  present: AttributeValue | undefined,
  removed: AttributeValue,
): AttributeValue | undefined => {
  if (!present) return undefined;
  const type = getType(removed);
  if (getType(present) !== type || !setTypes.includes(type)) throw wrongType();
  const others = new Set(removed[type] as string[]);
  const rest = (present[type] as string[]).filter((element) => !others.has(element));
  return rest.length > 0 ? { [type]: rest } : undefined;
};

const invalidPath = () =>
  validationError('The document path provided in the update expression is invalid for update');

/** A change at a path: a new value, or none to remove it. */
interface Change {
  readonly path: readonly (string | number)[];
  readonly value: AttributeValue | undefined;
}

/** Groups changes by the first part of their paths, so that list indexes keep their meaning within a value. */
const groupByHead = (changes: readonly Change[]): Map<string | number, Change[]> => {
  const groups = new Map<string | number, Change[]>();
  for (const { path, value } of changes) {
    const [head = '', ...rest] = path;
    groups.set(head, [...(groups.get(head) ?? []), { path: rest, value }]);
  }
  return groups;
};

/** Returns the new value of an element or attribute; undefined if it is removed. */
const changeElement = (present: AttributeValue | undefined, changes: readonly Change[]) => {
  const whole = changes.find(({ path }) => path.length === 0);
  return whole ? whole.value : changeValue(required(present, invalidPath), changes);
};

const changeList = (list: readonly AttributeValue[], changes: readonly Change[]) => {
  const next: (AttributeValue | undefined)[] = [...list];
  const appended: [number, AttributeValue][] = [];
  for (const [at, group] of groupByHead(changes)) {
    if (typeof at !== 'number') throw invalidPath();
    const value = changeElement(list[at], group);
    if (at < list.length) next[at] = value;
    else if (value) appended.push([at, value]);
  }
  appended.sort(([a], [b]) => a - b);
  return [...next, ...appended.map(([, value]) => value)].filter((value) => value !== undefined);
};

const changeMap = (map: Item, changes: readonly Change[]): Item => {
  const next = new Map(Object.entries(map));
  for (const [name, group] of groupByHead(changes)) {
    if (typeof name !== 'string') throw invalidPath();
    const value = changeElement(next.get(name), group);
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return Object.fromEntries(next);
};

const changeValue = (value: AttributeValue, changes: readonly Change[]): AttributeValue => {
  if (value.M) return { M: changeMap(value.M, changes) };
  if (value.L) return { L: changeList(value.L, changes) };
  throw invalidPath();
};

/** Returns an item after the actions of an update. */
export const applyUpdate = (
  actions: readonly UpdateAction[],
  item: Item,
  bindings: Bindings,
): Item => {
  const changes = actions.map((action): Change => {
    const path = resolvePath(action.path, bindings);
    if (action.kind === 'remove') return { path, value: undefined };
    if (action.kind === 'set') return { path, value: compute(action.operand, item, bindings) };
    const present = readPath(item, action.path, bindings);
    const operand = compute(action.operand, item, bindings);
    return {
      path,
      value: action.kind === 'add' ? addTo(present, operand) : deleteFrom(present, operand),
    };
  });
  return changeMap(item, changes);
};
