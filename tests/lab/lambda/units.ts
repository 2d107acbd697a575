/** Adds a request for the consumed capacity to a table request. */
export const metered = (body: Buffer): Buffer =>
  Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ReturnConsumedCapacity: 'TOTAL' }));

interface Capacity {
  readonly CapacityUnits?: number;
}
interface TableAnswer {
  readonly ConsumedCapacity?: Capacity | readonly Capacity[];
}

const isRead = (operation: string): boolean =>
  /^(BatchGetItem|GetItem|Query|TransactGetItems)$/.test(operation);
const isWrite = (operation: string): boolean =>
  /^(PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems)$/.test(operation);

/**
 * Returns the table units of a request as reported by the engine, which does not count index writes. An empty read
 * takes the minimum.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export const unitsOf = (
  operation: string,
  request: Buffer,
  response: Buffer,
): { readonly readUnits: number; readonly writeUnits: number } => {
  if (!isRead(operation) && !isWrite(operation)) return { readUnits: 0, writeUnits: 0 };
  const { ConsumedCapacity = [] }: TableAnswer = JSON.parse(response.toString());
  const units = [ConsumedCapacity]
    .flat()
    .reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  if (isWrite(operation)) return { readUnits: 0, writeUnits: units };
  const least = JSON.parse(request.toString()).ConsistentRead ? 1 : 0.5;
  return { readUnits: Math.max(units, least), writeUnits: 0 };
};
