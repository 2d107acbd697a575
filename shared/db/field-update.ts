import { tableName } from './dynamodb.ts';
import type { Key } from './key.ts';
import type { Write } from './transaction.ts';

/** A DynamoDB condition with its placeholders. */
export interface Condition {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Creates the condition that an item still has the expected version. */
export const versionCondition = (version: number): Condition => ({
  expression: 'attribute_exists(pk) AND version = :seenVersion',
  values: { ':seenVersion': version },
});

/** Creates the write that sets fields of an item, and removes those that are `undefined`, if the condition holds. */
export const updateFields = (
  { pk, sk }: Key,
  fields: Readonly<Record<string, unknown>>,
  condition: Condition,
): Write => {
  const names = Object.keys(fields);
  const sets = names.filter((name) => fields[name] !== undefined);
  const removes = names.filter((name) => fields[name] === undefined);
  const expression = [
    ...(sets.length > 0 ? [`SET ${sets.map((name) => `#${name} = :${name}`).join(', ')}`] : []),
    ...(removes.length > 0 ? [`REMOVE ${removes.map((name) => `#${name}`).join(', ')}`] : []),
  ];
  const values = {
    ...condition.values,
    ...Object.fromEntries(sets.map((name) => [`:${name}`, fields[name]])),
  };
  return {
    Update: {
      TableName: tableName(),
      Key: { pk, sk },
      UpdateExpression: expression.join(' '),
      ConditionExpression: condition.expression,
      ExpressionAttributeNames: {
        ...condition.names,
        ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
      },
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    },
  };
};
