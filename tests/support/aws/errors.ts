import {
  ConditionalCheckFailedException,
  InternalServerError,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import type { StoredSession } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { signToken } from '../../../shared/auth/tokens.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import type { Answer } from '../service/call.ts';

type Item = Readonly<Record<string, unknown>>;

/** Details of AWS messages that responses must not contain. */
export const secretWords = ['arn:aws', '123456789012', 'handbill-test'] as const;

const message =
  'User: arn:aws:sts::123456789012:assumed-role/api is not authorized on table/handbill-test';

/** The SDK's metadata of an error: the last status and the number of attempts. */
const answered = (httpStatusCode: number) => ({
  message,
  $metadata: { httpStatusCode, attempts: 3, totalRetryDelay: 90 },
});

const withoutAnswer = (name: string, code?: string): Error =>
  Object.assign(new Error(`${message} 127.0.0.1:8000`), {
    name,
    ...(code !== undefined && { code }),
    $metadata: { attempts: 3, totalRetryDelay: 90 },
  });

/** Transient errors as thrown by the SDK after its own attempts. */
export const passingErrors = (): readonly (readonly [string, Error])[] => [
  ['ProvisionedThroughputExceeded', new ProvisionedThroughputExceededException(answered(400))],
  ['ThrottlingException', new ThrottlingException(answered(400))],
  ['RequestLimitExceeded', new RequestLimitExceeded(answered(400))],
  ['TransactionConflictException', new TransactionConflictException(answered(400))],
  ['TransactionInProgressException', transactionInProgress()],
  ['InternalServerError', new InternalServerError(answered(500))],
  ['TimeoutError', withoutAnswer('TimeoutError')],
  ['ECONNREFUSED', withoutAnswer('Error', 'ECONNREFUSED')],
];

const transactionInProgress = () =>
  new TransactionInProgressException({ ...answered(400), Message: message });

/** An error for a missing permission, which a retry cannot fix. */
export const accessDenied = (): Error =>
  Object.assign(new Error(message), {
    name: 'AccessDeniedException',
    $fault: 'client',
    ...answered(400),
  });

/** Returns the error of a failed condition, with the old item (ALL_OLD). */
export const conditionFailed = (item?: Item): ConditionalCheckFailedException =>
  new ConditionalCheckFailedException({
    ...answered(400),
    ...(item && { Item: marshall(item, { removeUndefinedValues: true }) }),
  });

/** Returns the error of a canceled transaction, with one reason per write. */
export const canceled = (...codes: readonly string[]): TransactionCanceledException =>
  canceledWith(codes);

/** Returns the error of a canceled transaction, whose failed conditions met this item. */
export const canceledWith = (codes: readonly string[], item?: Item): TransactionCanceledException =>
  new TransactionCanceledException({
    ...answered(400),
    CancellationReasons: codes.map((Code) => ({
      Code,
      ...(item && Code !== 'None' && { Item: marshall(item, { removeUndefinedValues: true }) }),
    })),
  });

/** Mocks every DynamoDB client of this file. Commands without a set response get none. */
export const mockTable = () => mockClient(DynamoDBDocumentClient);

export type MockedTable = ReturnType<typeof mockTable>;

/** The query that reads a share with its content and access state. */
export const shareQuery = { KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last' };

/** Serves reads by key, and the query of a whole share, from these items. */
export const answerReads = (table: MockedTable, items: readonly Item[]): void => {
  const find = (key: Record<string, unknown> | undefined) =>
    items.find(({ pk, sk }) => pk === key?.['pk'] && sk === key?.['sk']);
  table.on(GetCommand).callsFake(async ({ Key }) => ({ Item: find(Key) }));
  table.on(BatchGetCommand).callsFake(async ({ RequestItems }: BatchGetCommandInput) => ({
    Responses: {
      [tableName()]: RequestItems?.[tableName()]?.Keys?.map(find).filter((item) => item) ?? [],
    },
  }));
  table.on(QueryCommand, shareQuery).callsFake(async ({ ExpressionAttributeValues: values }) => ({
    Items: items.filter(
      ({ pk, sk }) =>
        pk === values[':pk'] && String(sk) >= values[':first'] && String(sk) <= values[':last'],
    ),
  }));
};

type CommandClass<Input> = new (input: Input) => { readonly input: Input };

/** Returns the inputs of all commands of this kind, in the order of sending. */
export const sent = <Input>(table: MockedTable, command: CommandClass<Input>): Input[] =>
  table
    .calls()
    .map(({ args }) => args[0])
    .filter((one) => one instanceof command)
    .map((one) => (one as unknown as { readonly input: Input }).input);

/** Returns the expected response to a transient error. */
export const busy = (requestId: unknown) => ({
  status: 503,
  retryAfter: '1',
  body: {
    success: false,
    error: {
      code: 'SERVICE_UNAVAILABLE',
      message: 'The service is temporarily unavailable. Try again.',
      details: [],
      requestId,
    },
  },
});

/** Returns the expected response to an internal error. */
export const broken = (requestId: unknown) => ({
  status: 500,
  retryAfter: undefined,
  body: {
    success: false,
    error: {
      code: 'INTERNAL_ERROR',
      message: 'Internal server error.',
      details: [],
      requestId,
    },
  },
});

/** Returns the compared parts of a failed response. */
export const told = ({ status, headers, body }: Answer) => ({
  status,
  retryAfter: headers['retry-after'],
  body,
});

export interface SignedIn {
  readonly user: StoredUser;
  readonly session: StoredSession;
  /** Both records as stored in the table. */
  readonly items: readonly Item[];
  readonly token: string;
}

const minutesMs = 60_000;

/** Returns a signed-in user who exists only in responses of the mocked table. */
export const signedIn = async (fields: Partial<StoredUser> = {}): Promise<SignedIn> => {
  const createdAt = new Date().toISOString();
  const user: StoredUser = {
    id: 7,
    email: 'ann@example.com',
    username: 'ann',
    name: 'Ann Example',
    role: 'user',
    extraPermissions: [],
    status: 'active',
    createdAt,
    updatedAt: createdAt,
    version: 1,
    sessionEpoch: 0,
    ...fields,
  };
  const session: StoredSession = {
    id: 'session-of-ann',
    userId: user.id,
    epoch: user.sessionEpoch,
    rotation: 0,
    createdAt,
    expiresAt: new Date(Date.now() + 60 * minutesMs).toISOString(),
    endsAt: new Date(Date.now() + 30 * 24 * 60 * minutesMs).toISOString(),
    address: '192.0.2.1',
    ttl: Math.ceil(Date.now() / 1_000) + 3_600,
  };
  return {
    user,
    session,
    items: [
      { ...userKeys.record.at({ id: user.id }), ...user },
      { ...userKeys.session.at({ userId: user.id, id: session.id }), ...session },
    ],
    token: await signToken('access', { sub: String(user.id), sid: session.id, n: 0 }, minutesMs),
  };
};
