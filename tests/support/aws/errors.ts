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
import { signToken } from '../../../shared/auth/tokens.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import type { Answer } from '../service/call.ts';

type Item = Readonly<Record<string, unknown>>;

/** What AWS's messages give away and nobody outside may read. */
export const secretWords = ['arn:aws', '123456789012', 'handbill-test'] as const;

const message =
  'User: arn:aws:sts::123456789012:assumed-role/api is not authorized on table/handbill-test';

/** What the SDK puts on an error: the last status, and how often it had tried. */
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

/** Failures that may be gone at the next try, each as the SDK throws it after its own attempts. */
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

/** A role that lacks a grant: ours to repair, not the caller's to try again. */
export const accessDenied = (): Error =>
  Object.assign(new Error(message), {
    name: 'AccessDeniedException',
    $fault: 'client',
    ...answered(400),
  });

/** A condition that failed, with the item as it was then (ALL_OLD). */
export const conditionFailed = (item?: Item): ConditionalCheckFailedException =>
  new ConditionalCheckFailedException({
    ...answered(400),
    ...(item && { Item: marshall(item, { removeUndefinedValues: true }) }),
  });

/** A transaction that was cancelled, with one reason for each of its writes. */
export const canceled = (...codes: readonly string[]): TransactionCanceledException =>
  new TransactionCanceledException({
    ...answered(400),
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** Every DynamoDB client of this file, mocked. A command that nothing was answered for gets no answer. */
export const mockTable = () => mockClient(DynamoDBDocumentClient);

export type MockedTable = ReturnType<typeof mockTable>;

/** The query that reads a share with its texts and its gate. */
export const shareQuery = { KeyConditionExpression: 'pk = :pk AND sk BETWEEN :share AND :access' };

/** Lets the table answer reads by key, and that of a whole share, from these items. */
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
        pk === values[':pk'] && String(sk) >= values[':share'] && String(sk) <= values[':access'],
    ),
  }));
};

type CommandClass<Input> = new (input: Input) => { readonly input: Input };

/** The inputs of the commands of this kind, in the order they went out. */
export const sent = <Input>(table: MockedTable, command: CommandClass<Input>): Input[] =>
  table
    .calls()
    .map(({ args }) => args[0])
    .filter((one) => one instanceof command)
    .map((one) => (one as unknown as { readonly input: Input }).input);

/** The answer to a failure that may be gone at the next try. */
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

/** The answer to a failure that is ours. */
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

/** What the caller of a failed request is told. */
export const told = ({ status, headers, body }: Answer) => ({
  status,
  retryAfter: headers['retry-after'],
  body,
});

export interface SignedIn {
  readonly user: StoredUser;
  readonly session: StoredSession;
  /** Both records, as the table holds them. */
  readonly items: readonly Item[];
  readonly token: string;
}

const minutesMs = 60_000;

/** Someone signed in, whom only the answers of the mocked table know. */
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
      { ...keys.user(user.id), ...user },
      { ...keys.session(user.id, session.id), ...session },
    ],
    token: await signToken('access', { sub: String(user.id), sid: session.id }, minutesMs),
  };
};
