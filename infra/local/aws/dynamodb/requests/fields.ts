import type { Fields, Rule } from './rules.ts';

const text: Rule = { type: 'string' };
const flag: Rule = { type: 'boolean' };
const namePattern = '[a-zA-Z0-9_.-]+';

export const enumOf = (...values: string[]): Rule => ({ type: 'string', values });
export const required = (rule: Rule): Rule => ({ ...rule, required: true });
export const listOf = (of: Rule, limits: Partial<Rule> = {}): Rule => ({
  type: 'list',
  of,
  ...limits,
});
export const structure = (fields: Fields): Rule => ({ type: 'structure', fields });

export const tableName: Rule = {
  type: 'string',
  required: true,
  min: 1,
  max: 255,
  pattern: namePattern,
};
export const newName: Rule = { ...tableName, min: 3 };
const item = required({ type: 'map', of: { type: 'any', required: true } });
const names: Rule = { type: 'map', of: required(text) };
const values: Rule = { type: 'map', of: { type: 'any', required: true } };

const capacity: Fields = { ReturnConsumedCapacity: enumOf('INDEXES', 'TOTAL', 'NONE') };
const projection: Fields = {
  ProjectionExpression: text,
  ExpressionAttributeNames: names,
};
const condition: Fields = {
  ConditionExpression: text,
  ExpressionAttributeNames: names,
  ExpressionAttributeValues: values,
};
const onFailure: Fields = { ReturnValuesOnConditionCheckFailure: enumOf('ALL_OLD', 'NONE') };
const write: Fields = { ...condition, ...onFailure, ...capacity };
const returned = enumOf('ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW');

const read: Fields = {
  ...projection,
  ...capacity,
  ExpressionAttributeValues: values,
  FilterExpression: text,
  IndexName: { type: 'string', min: 3, max: 255, pattern: namePattern },
  Select: enumOf('SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'),
  ConsistentRead: flag,
  ExclusiveStartKey: { type: 'map' },
};

const conditionOf = (fields: Fields) =>
  structure({ TableName: tableName, ...condition, ...onFailure, ...fields });

/** The fields of operations on items. */
export const itemFields = {
  GetItem: { TableName: tableName, Key: item, ConsistentRead: flag, ...projection, ...capacity },
  PutItem: { TableName: tableName, Item: item, ReturnValues: returned, ...write },
  DeleteItem: { TableName: tableName, Key: item, ReturnValues: returned, ...write },
  UpdateItem: {
    TableName: tableName,
    Key: item,
    ReturnValues: returned,
    UpdateExpression: text,
    ...write,
  },
  Query: {
    TableName: tableName,
    ...read,
    KeyConditionExpression: text,
    ScanIndexForward: flag,
    Limit: { type: 'integer', min: 1, isTerse: true },
  },
  Scan: {
    TableName: tableName,
    ...read,
    Limit: { type: 'integer', min: 1 },
  },
  BatchGetItem: {
    ...capacity,
    RequestItems: required({
      type: 'map',
      isTerse: true,
      of: required(
        structure({
          Keys: required(listOf(item, { min: 1 })),
          ConsistentRead: flag,
          ...projection,
        }),
      ),
    }),
  },
  BatchWriteItem: {
    ...capacity,
    RequestItems: required({
      type: 'map',
      of: required(
        listOf(
          required(
            structure({
              PutRequest: structure({ Item: item }),
              DeleteRequest: structure({ Key: item }),
            }),
          ),
        ),
      ),
    }),
  },
  TransactGetItems: {
    ...capacity,
    TransactItems: required(
      listOf(
        required(
          structure({
            Get: required(
              structure({
                TableName: tableName,
                Key: item,
                ProjectionExpression: text,
                ExpressionAttributeNames: names,
              }),
            ),
          }),
        ),
        { min: 1, max: 100 },
      ),
    ),
  },
  TransactWriteItems: {
    ...capacity,
    ClientRequestToken: { type: 'string', min: 1, max: 36 },
    TransactItems: required(
      listOf(
        required(
          structure({
            ConditionCheck: conditionOf({ Key: item, ConditionExpression: required(text) }),
            Put: conditionOf({ Item: item }),
            Delete: conditionOf({ Key: item }),
            Update: conditionOf({ Key: item, UpdateExpression: required(text) }),
          }),
        ),
        { min: 1, max: 100 },
      ),
    ),
  },
} satisfies Readonly<Record<string, Fields>>;
