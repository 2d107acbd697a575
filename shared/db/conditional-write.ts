import {
  ConditionalCheckFailedException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backOff } from '../runtime/backoff.ts';
import { withDeadline } from '../runtime/deadline.ts';
import { documentClient, tableName } from './dynamodb.ts';

/**
 * Result of a conditional write. `item` is the item after the write (updates only) or, if the condition failed, the
 * existing item, `undefined` for none.
 */
export interface WriteOutcome {
  readonly written: boolean;
  readonly item: Record<string, unknown> | undefined;
}

/** `timeoutMs` or a signal limits all attempts together, if the client's own limits are too long. */
interface WriteOptions {
  readonly timeoutMs?: number;
  readonly abortSignal?: AbortSignal;
}

/** The SDK retries throttled writes but no transaction conflicts, which take only milliseconds. */
const maxConflicts = 5;

const send = async (
  write: (options: { abortSignal?: AbortSignal }) => Promise<{
    Attributes?: Record<string, unknown> | undefined;
  }>,
  { timeoutMs, abortSignal }: WriteOptions,
): Promise<WriteOutcome> => {
  if (timeoutMs !== undefined) {
    return withDeadline(timeoutMs, (signal) => send(write, { abortSignal: signal }));
  }
  const options = abortSignal ? { abortSignal } : {};
  for (let attempt = 1; ; attempt++) {
    try {
      return { written: true, item: (await write(options)).Attributes };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) {
        return { written: false, item: error.Item && unmarshall(error.Item) };
      }
      if (!(error instanceof TransactionConflictException) || attempt === maxConflicts) throw error;
    }
    await backOff(attempt);
  }
};

type Update = Omit<UpdateCommandInput, 'TableName' | 'ReturnValues'> & {
  readonly ConditionExpression: string;
};

/** Updates an item if the condition holds. A failed condition is returned; all other errors are thrown. */
export const conditionalUpdate = (
  update: Update,
  options: WriteOptions = {},
): Promise<WriteOutcome> => {
  const command = new UpdateCommand({
    ...update,
    TableName: tableName(),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  return send((bounds) => documentClient().send(command, bounds), options);
};

type Put = Omit<PutCommandInput, 'TableName' | 'ReturnValues'> & {
  readonly ConditionExpression: string;
};

/** Puts an item if the condition holds. A failed condition is returned; all other errors are thrown. */
export const conditionalPut = (put: Put, options: WriteOptions = {}): Promise<WriteOutcome> => {
  const command = new PutCommand({
    ...put,
    TableName: tableName(),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  return send((bounds) => documentClient().send(command, bounds), options);
};

type Delete = Omit<DeleteCommandInput, 'TableName' | 'ReturnValues'> & {
  readonly ConditionExpression: string;
};

/** Deletes an item if the condition holds. A failed condition is returned; all other errors are thrown. */
export const conditionalDelete = (
  deletion: Delete,
  options: WriteOptions = {},
): Promise<WriteOutcome> => {
  const command = new DeleteCommand({
    ...deletion,
    TableName: tableName(),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  return send((bounds) => documentClient().send(command, bounds), options);
};
