import { enumOf, listOf, newName, required, structure, tableName } from './fields.ts';
import type { Fields, Rule } from './rules.ts';

const text: Rule = { type: 'string' };
const keySchema = required(
  listOf(structure({ AttributeName: required(text), KeyType: required(enumOf('HASH', 'RANGE')) }), {
    min: 1,
    max: 2,
  }),
);
const definitions = listOf(
  structure({ AttributeName: required(text), AttributeType: required(enumOf('S')) }),
);
const index = structure({
  IndexName: newName,
  KeySchema: keySchema,
  Projection: required(structure({ ProjectionType: required(enumOf('ALL')) })),
});

/** The fields of operations on tables. */
export const tableFields = {
  CreateTable: {
    TableName: newName,
    AttributeDefinitions: required(definitions),
    KeySchema: keySchema,
    GlobalSecondaryIndexes: listOf(index),
    BillingMode: required(enumOf('PAY_PER_REQUEST')),
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
