import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

type Item = Record<string, unknown>;
type Names = Readonly<Record<string, string>>;

/** An expression with its names and values, as in any DynamoDB request. */
interface Expression {
  readonly ExpressionAttributeNames?: Names;
  readonly ExpressionAttributeValues?: Item;
}

export interface Query extends Expression {
  readonly KeyConditionExpression: string;
  readonly ExclusiveStartKey?: Item;
  readonly ScanIndexForward?: boolean;
  readonly Limit?: number;
  readonly Select?: string;
}

export interface Write extends Expression {
  readonly Item?: Item;
  readonly Key?: Item;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
}

const stored = (item: Item): Item => unmarshall(marshall(item, { removeUndefinedValues: true }));

const nameOf = ({ pk, sk }: Item): string => `${pk}\n${sk}`;

/** Splits `attendees[0].#status` into the steps of its path. */
const stepsOf = (path: string, names: Names = {}): string[] =>
  path
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .map((step) => names[step] ?? step);

const parentOf = (item: Item, steps: readonly string[]): Item =>
  steps.slice(0, -1).reduce((parent, step) => (parent[step] ?? {}) as Item, item);

/** Returns the value of an operand: a value, a path, `if_not_exists`, or the sum or difference of two. */
const operandOf = (item: Item, operand: string, expression: Expression): unknown => {
  const [, left = '', sign, right = ''] = operand.match(/^(.+) ([+-]) (.+)$/) ?? [];
  if (sign) {
    const [a, b] = [left, right].map((one) => Number(operandOf(item, one, expression)));
    return (a ?? 0) + (sign === '+' ? 1 : -1) * (b ?? 0);
  }
  const [, path, otherwise] = operand.match(/^if_not_exists\((.+), (.+)\)$/) ?? [];
  if (path && otherwise) {
    return operandOf(item, path, expression) ?? operandOf(item, otherwise, expression);
  }
  if (operand.startsWith(':')) return expression.ExpressionAttributeValues?.[operand];
  const steps = stepsOf(operand, expression.ExpressionAttributeNames);
  return parentOf(item, steps)[steps.at(-1) ?? ''];
};

const sumOf = (a: unknown, b: unknown): unknown =>
  b instanceof Set ? new Set([...((a as Set<unknown>) ?? []), ...b]) : Number(a ?? 0) + Number(b);

/** Returns the item after an update. */
const update = (before: Item, write: Write): Item => {
  const item = structuredClone(before);
  const set = (path: string, value: unknown): void => {
    const steps = stepsOf(path, write.ExpressionAttributeNames);
    parentOf(item, steps)[steps.at(-1) ?? ''] = value;
  };
  const parts = write.UpdateExpression?.split(/\s?\b(SET|ADD|REMOVE) /).slice(1) ?? [];
  for (let at = 0; at < parts.length; at += 2) {
    for (const clause of parts[at + 1]?.split(/, (?![^(]*\))/) ?? []) {
      const [path = '', operand = ''] = clause.split(parts[at] === 'SET' ? ' = ' : ' ');
      if (parts[at] === 'REMOVE') set(path, undefined);
      else if (parts[at] === 'SET') set(path, operandOf(before, operand, write));
      else set(path, sumOf(operandOf(before, path, write), operandOf(before, operand, write)));
    }
  }
  return item;
};

/** Items by key. Writes always succeed, whatever their conditions; queries ignore filters. */
export const createMockedItems = () => {
  const items = new Map<string, Item>();
  const get = (key: Item): Item | undefined => items.get(nameOf(key));

  /** Puts, updates or deletes an item and returns what is stored then. */
  const write = ({ Item: put, Key = {}, ...rest }: Write): Item | undefined => {
    if (!put && rest.UpdateExpression === undefined) {
      items.delete(nameOf(Key));
      return undefined;
    }
    const after = stored(put ?? update(get(Key) ?? Key, rest));
    items.set(nameOf(after), after);
    return after;
  };

  const query = (asked: Query) => {
    const { KeyConditionExpression: condition, ExpressionAttributeValues: values = {} } = asked;
    const plain = condition.replaceAll(
      /#\w+/g,
      (name) => asked.ExpressionAttributeNames?.[name] ?? name,
    );
    const pk = plain.startsWith('gsi1pk') ? 'gsi1pk' : 'pk';
    const sk = pk === 'pk' ? 'sk' : 'gsi1sk';
    const bounds = (plain.match(/:\w+/g) ?? []).slice(1).map((name) => String(values[name]));
    const [low = '', high = '\uffff'] = bounds;
    const isWithin = (key: string): boolean => {
      if (bounds.length === 0) return true;
      if (plain.includes('begins_with')) return key.startsWith(low);
      if (plain.includes(' < ')) return key < low;
      if (plain.includes(' <= ')) return key <= low;
      return plain.includes(' > ') ? key > low : key >= low && key <= high;
    };
    const direction = asked.ScanIndexForward === false ? -1 : 1;
    const compare = (a: Item, b: Item) => (String(a[sk]) < String(b[sk]) ? -direction : direction);
    const all = [...items.values()]
      .filter((item) => item[pk] === values[':pk'] && isWithin(String(item[sk])))
      .sort(compare);
    const start = asked.ExclusiveStartKey;
    const rest = start ? all.filter((item) => compare(start, item) < 0) : all;
    const Items = rest.slice(0, asked.Limit).map((item) => structuredClone(item));
    const LastEvaluatedKey = Items.length < rest.length ? Items.at(-1) : undefined;
    const counts = { Count: Items.length, ScannedCount: Items.length };
    return { ...counts, ...(asked.Select !== 'COUNT' && { Items }), LastEvaluatedKey };
  };

  return {
    write,
    /** Returns the item in the way of a write that creates one. */
    taken: ({ Item: put, ConditionExpression: condition }: Write): Item | undefined =>
      put && condition === 'attribute_not_exists(pk)' ? get(put) : undefined,
    query,
    get: (key: Item) => structuredClone(get(key)),
    clear: () => items.clear(),
    /** Returns what puts back the items of now. None is changed in its place. */
    keep: (): (() => void) => {
      const kept = [...items];
      return () => {
        items.clear();
        for (const [name, item] of kept) items.set(name, item);
      };
    },
    all: () => [...items.values()],
    find: (isIt: (item: Item) => boolean) => [...items.values()].find(isIt),
    /** Changes attributes of an item, as another request does meanwhile. */
    change: (pk: string, sk: string, fields: Item): void => {
      items.set(nameOf({ pk, sk }), { ...items.get(nameOf({ pk, sk })), pk, sk, ...fields });
    },
  };
};
