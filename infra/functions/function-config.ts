import { join } from 'node:path';
import type { GroupName } from '../../functions/routes.ts';
import { assets } from '../../functions/web/docs/assets.ts';
import type { SettingName } from '../../shared/runtime/settings.ts';

/** What a function is made for: a group of routes, or the jobs. */
export type FunctionName = GroupName | 'jobs';

/** What can be asked of the table. There is no Scan: nothing reads the whole of it. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem';

/** What can be asked of an object. */
export type ObjectAction = 'GetObject' | 'PutObject' | 'DeleteObject';

/** What code needs to run. Its function gets this and nothing else. */
export interface FunctionConfig {
  readonly memoryMb: number;
  /** For a group of routes below the 30 s after which API Gateway gives up. */
  readonly timeoutSeconds: number;
  /** What it asks of the table; a transaction is allowed by the actions of its items. */
  readonly table?: readonly TableAction[];
  /**
   * The partitions that this is asked of, and no others; `*` at the end stands for any rest. They are the same for all
   * actions, as a transaction and a batch have the partitions of all their items.
   */
  readonly partitions?: readonly string[];
  /** The partitions of the table's index that it queries. */
  readonly index?: readonly string[];
  /** What it asks of the bucket, of the texts that are too large for the table. */
  readonly texts?: readonly ObjectAction[];
  /** What it asks of the objects of files. */
  readonly fileObjects?: readonly ObjectAction[];
  /** What it asks of objects that are being uploaded straight to the bucket. */
  readonly uploads?: readonly ObjectAction[];
  /** Does it tell where the bucket is? It knows the name then, and may ask it for nothing by that. */
  readonly bucketName?: true;
  /** Does it sign or check tokens or cursors? Whoever asks for the actor does. */
  readonly signingSecret?: true;
  /** Does it have work done later? Then it may put jobs into the queue. */
  readonly jobs?: true;
  /** Does it send mail? Then it may do so from MAIL_FROM, where that is set. */
  readonly mail?: true;
  /** Settings that it reads, beside the names of the table, the bucket, the secret and the queue. */
  readonly settings?: readonly Exclude<
    SettingName,
    'TABLE_NAME' | 'FILES_BUCKET' | 'JWT_SECRET' | 'JWT_SECRET_ID' | 'JOBS_QUEUE_URL'
  >[];
  /** Does it convert Markdown, and with the extras of shares' pages? The worker that does it lies beside the bundle. */
  readonly markdownWorker?: 'plain' | 'with-extras';
  /** Files that lie beside the bundle, by their names there; where they are in the project. */
  readonly files?: Readonly<Record<string, string>>;
}

/** From here on a function has a whole vCPU. https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const oneCpuMb = 1_769;

const docsFiles = Object.fromEntries(
  Object.entries(assets).map(([name, path]) => [name, join('functions/web/docs', path)]),
);

/** What each function needs. A group that is missing here doesn't compile. */
export const needs: Readonly<Record<FunctionName, FunctionConfig>> = {
  // bcrypt
  auth: {
    memoryMb: oneCpuMb,
    timeoutSeconds: 10,
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    partitions: [
      'USER#*',
      'USERS',
      'USERS#*',
      'EMAIL#*',
      'USERNAME#*',
      'TOTAL#*',
      'STATS#USERS#*',
      'LIMIT#*',
      'AUDIT#*',
      'OUTBOX',
    ],
    signingSecret: true,
    jobs: true,
    settings: [
      'JWT_ACCESS_EXPIRES',
      'JWT_REFRESH_EXPIRES',
      'SESSION_MAX_AGE',
      'PASSWORD_COST',
      'RATE_LIMIT_FACTOR',
      'REGISTRATION',
      'NEW_USER_PERMISSIONS',
      'MAIL_FROM',
      'AUDIT_KEEP',
    ],
  },
  // bcrypt
  users: {
    memoryMb: oneCpuMb,
    timeoutSeconds: 20,
    table: [
      'BatchGetItem',
      'Query',
      'PutItem',
      'UpdateItem',
      'DeleteItem',
      'BatchWriteItem',
      'ConditionCheckItem',
    ],
    partitions: [
      'USER#*',
      'USERS',
      'USERS#*',
      'EMAIL#*',
      'USERNAME#*',
      'TRANSFER#*',
      'SUPER_ADMINS',
      'SHARE#*',
      'DOCUMENT#*',
      'DOCUMENTS#*',
      'FILE#*',
      'FILES#*',
      'MESSAGE#*',
      'CALENDAR#*',
      'EVENT#*',
      'TOTAL#*',
      'STATS#USERS#*',
      'LIMIT#*',
      'AUDIT#*',
      'IDEMPOTENCY#*',
      'DELETIONS',
      'OUTBOX',
    ],
    signingSecret: true,
    settings: [
      'JWT_REFRESH_EXPIRES',
      'PASSWORD_COST',
      'NEW_USER_PERMISSIONS',
      'AUDIT_KEEP',
      'PUBLIC_URL',
      'MAIL_FROM',
      'RATE_LIMIT_FACTOR',
    ],
  },
  audit: {
    memoryMb: 512,
    timeoutSeconds: 10,
    table: ['BatchGetItem', 'Query', 'UpdateItem'],
    partitions: ['USER#*', 'AUDIT#*'],
    index: ['AUDIT#ACTOR#*'],
    signingSecret: true,
    settings: ['JWT_REFRESH_EXPIRES', 'AUDIT_KEEP'],
  },
  // brotli
  documents: {
    memoryMb: oneCpuMb,
    timeoutSeconds: 15,
    table: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    partitions: [
      'USER#*',
      'DOCUMENT#*',
      'DOCUMENTS#*',
      'TOTAL#*',
      'AUDIT#*',
      'IDEMPOTENCY#*',
      'DELETIONS',
      'OUTBOX',
    ],
    index: ['DOCUMENTS#ALL#*'],
    texts: ['GetObject', 'PutObject'],
    signingSecret: true,
    settings: ['JWT_REFRESH_EXPIRES', 'AUDIT_KEEP'],
  },
  // Several waits for S3 one after another
  files: {
    memoryMb: 1_024,
    timeoutSeconds: 29,
    table: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    partitions: [
      'USER#*',
      'FILE#*',
      'FILES#*',
      'TOTAL#*',
      'LIMIT#*',
      'AUDIT#*',
      'IDEMPOTENCY#*',
      'DELETIONS',
      'OUTBOX',
    ],
    index: ['FILES#ALL#*'],
    fileObjects: ['GetObject', 'PutObject', 'DeleteObject'],
    uploads: ['GetObject', 'PutObject', 'DeleteObject'],
    signingSecret: true,
    jobs: true,
    settings: ['JWT_REFRESH_EXPIRES', 'AUDIT_KEEP', 'FILES_QUOTA'],
  },
  messages: {
    memoryMb: 512,
    timeoutSeconds: 15,
    table: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    partitions: [
      'USER#*',
      'MESSAGE#*',
      'TOTAL#*',
      'LIMIT#*',
      'AUDIT#*',
      'IDEMPOTENCY#*',
      'DELETIONS',
      'OUTBOX',
    ],
    texts: ['GetObject', 'PutObject'],
    signingSecret: true,
    jobs: true,
    settings: ['JWT_REFRESH_EXPIRES', 'AUDIT_KEEP', 'RATE_LIMIT_FACTOR'],
  },
  // A message that has come in is put into the inbox by who asks first.
  notifications: {
    memoryMb: 512,
    timeoutSeconds: 15,
    table: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    partitions: ['USER#*', 'MESSAGE#*'],
    signingSecret: true,
    settings: ['JWT_REFRESH_EXPIRES'],
  },
  calendar: {
    memoryMb: 512,
    timeoutSeconds: 15,
    table: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    partitions: [
      'USER#*',
      'CALENDAR#*',
      'EVENT#*',
      'TOTAL#*',
      'LIMIT#*',
      'AUDIT#*',
      'IDEMPOTENCY#*',
      'OUTBOX',
    ],
    signingSecret: true,
    settings: ['JWT_REFRESH_EXPIRES', 'AUDIT_KEEP', 'PUBLIC_URL', 'RATE_LIMIT_FACTOR'],
  },
  sales: {
    memoryMb: 512,
    timeoutSeconds: 15,
    table: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    partitions: [
      'USER#*',
      'SALE#*',
      'SALES',
      'STATS#SALES#*',
      'TOTAL#*',
      'AUDIT#*',
      'IDEMPOTENCY#*',
    ],
    index: ['SALES#*'],
    signingSecret: true,
    settings: ['JWT_REFRESH_EXPIRES', 'AUDIT_KEEP', 'CURRENCY'],
  },
  dashboard: {
    memoryMb: 512,
    timeoutSeconds: 15,
    table: ['BatchGetItem', 'Query', 'UpdateItem'],
    partitions: ['USER#*', 'CALENDAR#*', 'EVENT#*', 'TOTAL#*', 'STATS#*'],
    signingSecret: true,
    settings: ['JWT_REFRESH_EXPIRES', 'CURRENCY'],
  },
  // scrypt, Markdown, brotli
  share: {
    memoryMb: oneCpuMb,
    timeoutSeconds: 15,
    table: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    partitions: [
      'USER#*',
      'SHARE#*',
      'TOTAL#*',
      'LIMIT#*',
      'AUDIT#*',
      'IDEMPOTENCY#*',
      'DELETIONS',
      'OUTBOX',
    ],
    index: ['SHARES', 'SHARES#REPORTED'],
    texts: ['GetObject', 'PutObject'],
    signingSecret: true,
    jobs: true,
    settings: ['JWT_REFRESH_EXPIRES', 'PUBLIC_URL', 'RATE_LIMIT_FACTOR', 'AUDIT_KEEP'],
    markdownWorker: 'with-extras',
  },
  markdown: {
    memoryMb: oneCpuMb,
    timeoutSeconds: 10,
    table: ['UpdateItem'],
    partitions: ['LIMIT#*'],
    settings: ['RATE_LIMIT_FACTOR'],
    markdownWorker: 'plain',
  },
  checkin: {
    memoryMb: 512,
    timeoutSeconds: 10,
    table: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    partitions: ['USER#*'],
    signingSecret: true,
    settings: ['JWT_REFRESH_EXPIRES', 'CHECKIN_TIMEZONE'],
  },
  site: {
    memoryMb: 512,
    timeoutSeconds: 10,
    bucketName: true,
    settings: ['SNIPPETS_URL', 'REGISTRATION', 'MAIL_FROM', 'CURRENCY'],
  },
  // bcrypt
  password: {
    memoryMb: oneCpuMb,
    timeoutSeconds: 10,
    table: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    partitions: ['USER#*', 'USERS#*', 'EMAIL#*', 'AUDIT#*', 'OUTBOX'],
    settings: ['PASSWORD_COST', 'MAIL_FROM', 'AUDIT_KEEP'],
  },
  // Most of its time goes by waiting, which costs less with less memory; a password's scrypt takes a fifth of a second.
  'share-page': {
    memoryMb: 512,
    timeoutSeconds: 15,
    table: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
    partitions: ['USER#*', 'SHARE#*', 'LIMIT#*', 'AUDIT#*', 'OUTBOX'],
    texts: ['GetObject'],
    signingSecret: true,
    jobs: true,
    settings: ['PUBLIC_URL', 'SNIPPETS_URL', 'RATE_LIMIT_FACTOR', 'AUDIT_KEEP'],
  },
  assets: {
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  docs: {
    memoryMb: 512,
    timeoutSeconds: 10,
    files: docsFiles,
  },
  health: {
    memoryMb: 512,
    timeoutSeconds: 10,
    table: ['GetItem'],
    partitions: ['HEALTH'],
  },
  snippet: {
    memoryMb: 512,
    timeoutSeconds: 10,
    table: ['BatchGetItem', 'Query'],
    partitions: ['USER#*', 'SHARE#*'],
    texts: ['GetObject'],
    signingSecret: true,
    settings: ['PUBLIC_URL'],
  },
  jobs: {
    memoryMb: 512,
    timeoutSeconds: 60,
    table: [
      'GetItem',
      'BatchGetItem',
      'Query',
      'PutItem',
      'UpdateItem',
      'DeleteItem',
      'BatchWriteItem',
      'ConditionCheckItem',
    ],
    partitions: [
      'USER#*',
      'USERS#PERMISSION#*',
      'TRANSFER#*',
      'EMAIL#*',
      'SHARE#*',
      'DOCUMENT#*',
      'DOCUMENTS#*',
      'FILE#*',
      'FILES#*',
      'MESSAGE#*',
      'CALENDAR#*',
      'EVENT#*',
      'TOTAL#*',
      'STATS#DAYS#*',
      'VISITOR#*',
      'ACTIVITY#*',
      'AUDIT#*',
      'JOB#*',
      'DELETIONS',
      'OUTBOX',
    ],
    index: [
      'DOCUMENTS#PURGES',
      'EVENTS#REMINDERS',
      'FILES#UPLOADS',
      'SHARES#ENDS',
      'SHARES#TOMBSTONES',
    ],
    texts: ['DeleteObject'],
    fileObjects: ['GetObject', 'PutObject', 'DeleteObject'],
    uploads: ['GetObject', 'DeleteObject'],
    jobs: true,
    mail: true,
    settings: ['PUBLIC_URL', 'MAIL_FROM', 'AUDIT_KEEP'],
  },
};
