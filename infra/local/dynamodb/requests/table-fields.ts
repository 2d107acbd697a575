import { enumOf, listOf, newName, required, structure, tableName } from './fields.ts';
import type { Fields, Rule } from './rules.ts';

const text: Rule = { type: 'string' };
const units: Rule = { type: 'integer', required: true, min: 1 };
const throughput = structure({ ReadCapacityUnits: units, WriteCapacityUnits: units });
const keySchema = required(
  listOf(structure({ AttributeName: required(text), KeyType: required(enumOf('HASH', 'RANGE')) }), {
    min: 1,
    max: 2,
  }),
);
const definitions = listOf(
  structure({ AttributeName: required(text), AttributeType: required(enumOf('B', 'N', 'S')) }),
);
const index = structure({
  IndexName: newName,
  KeySchema: keySchema,
  Projection: required(
    structure({
      ProjectionType: enumOf('ALL', 'INCLUDE', 'KEYS_ONLY'),
      NonKeyAttributes: listOf(text, { min: 1 }),
    }),
  ),
  ProvisionedThroughput: throughput,
});
const billing: Fields = {
  BillingMode: enumOf('PROVISIONED', 'PAY_PER_REQUEST'),
  ProvisionedThroughput: throughput,
};

/** The fields of operations on tables. */
export const tableFields = {
  CreateTable: {
    TableName: newName,
    AttributeDefinitions: required(definitions),
    KeySchema: keySchema,
    GlobalSecondaryIndexes: listOf(index),
    LocalSecondaryIndexes: listOf(index),
    ...billing,
  },
  UpdateTable: {
    TableName: tableName,
    AttributeDefinitions: definitions,
    GlobalSecondaryIndexUpdates: listOf(
      structure({
        Create: index,
        Update: structure({ IndexName: newName, ProvisionedThroughput: required(throughput) }),
        Delete: structure({ IndexName: newName }),
      }),
    ),
    ...billing,
  },
  ListTables: {
    Limit: { type: 'integer', min: 1 },
    ExclusiveStartTableName: { ...tableName, required: false },
  },
  NamedTable: { TableName: tableName },
  UpdateTimeToLive: {
    TableName: tableName,
    TimeToLiveSpecification: required(
      structure({
        AttributeName: { type: 'string', required: true, min: 1, max: 255 },
        Enabled: required({ type: 'boolean' }),
      }),
    ),
  },
} satisfies Readonly<Record<string, Fields>>;
