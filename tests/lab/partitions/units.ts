import type { Item } from '../../../infra/local/aws/dynamodb/values/attribute-value.ts';
import { measureItem } from '../../../infra/local/aws/dynamodb/values/item-size.ts';

export type Kind = 'read' | 'write';

/** Units that a part of a request takes of one partition. */
export interface Demand {
  readonly partition: string;
  readonly kind: Kind;
  /** Exact for writes. For reads, the minimum until the response. */
  readonly units: number;
}

interface Part {
  readonly Key?: Item;
  readonly Item?: Item;
}

/** The parts of a DynamoDB request with keys. */
export interface Input extends Part {
  readonly ConsistentRead?: boolean;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Item;
  readonly TransactItems?: readonly Readonly<Record<string, Part>>[];
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Item[] }>>;
}

/** The counted parts of a response. */
export interface Output {
  readonly Item?: Item;
  readonly Items?: readonly Item[];
  readonly Responses?: Readonly<Record<string, readonly Item[]>>;
}

const partitionOf = (key: Item | undefined): string => String(key?.['pk']?.['S']);

const unitsOf = (bytes: number, unitBytes: number): number =>
  Math.max(1, Math.ceil(bytes / unitBytes));

const readUnits = (items: readonly Item[]): number =>
  unitsOf(
    items.reduce((sum, item) => sum + measureItem(item), 0),
    4_096,
  );

/** Updated items are counters and access states below 1 KB. A delete takes as much. */
const ofWrite = ({ Key, Item }: Part, times: 1 | 2): Demand => ({
  partition: partitionOf(Item ?? Key),
  kind: 'write',
  units: times * (Item ? unitsOf(measureItem(Item), 1_024) : 1),
});

const ofRead = (partition: string): Demand => ({ partition, kind: 'read', units: 1 });

/** Returns the units per partition of each part of a request, without indexes, which throttle separately. */
export const demandsOf = (operation: string, input: Input): readonly Demand[] => {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [ofWrite(input, 1)];
    case 'TransactWriteItems':
      return (input.TransactItems ?? []).flatMap((one) =>
        Object.values(one).map((part) => ofWrite(part, 2)),
      );
    case 'GetItem':
      return [ofRead(partitionOf(input.Key))];
    case 'BatchGetItem':
      return Object.values(input.RequestItems ?? {}).flatMap(({ Keys }) =>
        Keys.map((key) => ofRead(partitionOf(key))),
      );
    case 'Query': {
      const name = input.KeyConditionExpression?.match(/^\S*pk = (:\w+)/)?.[1] ?? '';
      const value = input.ExpressionAttributeValues?.[name]?.['S'];
      return value === undefined ? [] : [ofRead(String(value))];
    }
    default:
      return [];
  }
};

/** Returns the units of a read beyond the minimum, by partition, after its response. */
export const restOf = (operation: string, input: Input, output: Output): readonly Demand[] => {
  const rest = (partition: string, items: readonly Item[]): Demand => ({
    partition,
    kind: 'read',
    units: readUnits(items) - 1,
  });
  switch (operation) {
    case 'GetItem':
      return output.Item ? [rest(partitionOf(input.Key), [output.Item])] : [];
    case 'BatchGetItem':
      return Object.values(output.Responses ?? {})
        .flat()
        .map((item) => rest(partitionOf(item), [item]));
    case 'Query':
      return demandsOf(operation, input).map(({ partition }) =>
        rest(partition, output.Items ?? []),
      );
    default:
      return [];
  }
};
