import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { documentClient, tableName } from './table.ts';

/**
 * What became of a write with a condition. `item` is the item as the write left it (updates only),
 * or, where the condition failed, as it was then: `undefined` when there was none.
 */
export interface WriteOutcome {
  readonly written: boolean;
  readonly item: Record<string, unknown> | undefined;
}

const send = async (
  write: () => Promise<{ Attributes?: Record<string, unknown> | undefined }>,
): Promise<WriteOutcome> => {
  try {
    return { written: true, item: (await write()).Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { written: false, item: error.Item && unmarshall(error.Item) };
  }
};

type Update = Omit<UpdateCommandInput, 'TableName' | 'ReturnValues'> & {
  readonly ConditionExpression: string;
};

/** Updates one item if the condition holds. A failed condition is an outcome, every other failure is thrown. */
export const updateIf = (update: Update): Promise<WriteOutcome> =>
  send(() =>
    documentClient().send(
      new UpdateCommand({
        ...update,
        TableName: tableName(),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );

type Put = Omit<PutCommandInput, 'TableName' | 'ReturnValues'> & {
  readonly ConditionExpression: string;
};

/** Puts one item if the condition holds. A failed condition is an outcome, every other failure is thrown. */
export const putIf = (put: Put): Promise<WriteOutcome> =>
  send(() =>
    documentClient().send(
      new PutCommand({
        ...put,
        TableName: tableName(),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );
