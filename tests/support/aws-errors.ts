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
  DynamoDBDocumentClient,
  GetCommand,
  type TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type AwsStub, mockClient } from 'aws-sdk-client-mock';
import type { StoredSession } from '../../shared/actor.ts';
import { type Key, keys, tableName } from '../../shared/table.ts';
import { signToken } from '../../shared/tokens.ts';
import type { StoredUser } from '../../shared/user.ts';

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

// biome-ignore lint/suspicious/noExplicitAny: the types of the mock predate those of the client
export type Table = AwsStub<any, any, any>;

/** Every DynamoDB client of this file, mocked. A command that no test has answered for gets an empty answer. */
export const mockTable = (): Table =>
  // biome-ignore lint/suspicious/noExplicitAny: the types of the mock predate those of the client
  mockClient(DynamoDBDocumentClient as any);

/** Lets the table answer reads by key from these items. */
export const answerReads = (table: Table, items: readonly Item[]): void => {
  const find = ({ pk, sk }: Key) => items.find((item) => item['pk'] === pk && item['sk'] === sk);
  table.on(GetCommand as never).callsFake(async ({ Key }: { Key: Key }) => ({ Item: find(Key) }));
  table
    .on(BatchGetCommand as never)
    .callsFake(async ({ RequestItems }: { RequestItems: Record<string, { Keys: Key[] }> }) => ({
      Responses: {
        [tableName()]: RequestItems[tableName()]?.Keys.map(find).filter((item) => item) ?? [],
      },
    }));
};

/** The inputs of the commands of this kind, in the order they went out. */
export const sent = <Command extends { readonly input: unknown }>(
  table: Table,
  // biome-ignore lint/suspicious/noExplicitAny: any constructor of the command will do
  command: new (input: any) => Command,
): Command['input'][] =>
  table.commandCalls(command as never).map(({ args }) => (args[0] as unknown as Command).input);

/** The writes of the one transaction that went out. */
export const writesOf = (input: TransactWriteCommand['input'] | undefined) =>
  input?.TransactItems ?? [];

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
