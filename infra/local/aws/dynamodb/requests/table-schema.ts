import { invalidParameter, validationError } from '../service-error.ts';
import type { KeySchemaElement, TableSchema } from '../storage/schema.ts';

const MAX_GLOBAL_INDEXES = 20;

const listNames = (schema: readonly KeySchemaElement[]): string[] =>
  schema.map(({ AttributeName }) => AttributeName);

const assertKeySchema = (schema: readonly KeySchemaElement[], defined: readonly string[]): void => {
  const names = listNames(schema);
  if (names.some((name) => !defined.includes(name))) {
    throw invalidParameter(
      `Some index key attributes are not defined in AttributeDefinitions. Keys: [${names.join(', ')}], AttributeDefinitions: [${defined.join(', ')}]`,
    );
  }
  if (names[0] === names[1]) {
    throw validationError(
      'Both the Hash Key and the Range Key element in the KeySchema have the same name',
    );
  }
  if (schema[0]?.KeyType !== 'HASH') {
    throw validationError('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  }
  if (schema[1] && schema[1].KeyType !== 'RANGE') {
    throw validationError('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type');
  }
};

/** Rejects a definition of a table whose keys and indexes don't fit together. */
export const assertTableSchema = (schema: TableSchema): void => {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes: globals } = schema;
  const defined = AttributeDefinitions.map(({ AttributeName }) => AttributeName);
  if (KeySchema.length > defined.length) {
    throw validationError('Invalid KeySchema: Some index key attribute have no definition');
  }
  assertKeySchema(KeySchema, defined);
  if (globals?.length === 0) throw invalidParameter('List of GlobalSecondaryIndexes is empty');
  const indexes = globals ?? [];
  const seen = new Set<string>();
  for (const index of indexes) {
    assertKeySchema(index.KeySchema, defined);
    if (seen.has(index.IndexName))
      throw invalidParameter(`Duplicate index name: ${index.IndexName}`);
    seen.add(index.IndexName);
  }
  if (indexes.length > MAX_GLOBAL_INDEXES) {
    throw invalidParameter(
      `GlobalSecondaryIndex count exceeds the per-table limit of ${MAX_GLOBAL_INDEXES}`,
    );
  }
  const used = new Set([KeySchema, ...indexes.map((index) => index.KeySchema)].flatMap(listNames));
  if (defined.every((name) => used.has(name))) return;
  if (indexes.length === 0) {
    throw invalidParameter(
      'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    );
  }
  throw invalidParameter(
    `Some AttributeDefinitions are not used. AttributeDefinitions: [${defined.join(', ')}], keys used: [${[...used].join(', ')}]`,
  );
};
