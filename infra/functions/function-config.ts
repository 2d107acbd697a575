import { join } from 'node:path';
import type { GroupName } from '../../functions/routes.ts';
import { assets } from '../../functions/web/docs/assets.ts';
import { diagramScripts } from '../../functions/web/snippet/diagram-scripts.ts';
import type { JobQueue, queueUrlSettings } from '../../shared/jobs/job-queue.ts';
import type { SettingName } from '../../shared/runtime/settings.ts';
import {
  accountPartitions,
  callerPartitions,
  deferredWork,
  documentPartitions,
  eventPartitions,
  exportPartitions,
  filePartitions,
  type ObjectAction,
  readWrite,
  readWriteDelete,
  recordedWrites,
  sharePartitions,
  type TableAction,
  userDataPartitions,
  webhookPartitions,
} from './rights.ts';

/** The name of a function: a group of routes, the jobs, or what makes exports. */
export type FunctionName = GroupName | 'jobs' | 'exports';

/** A function without a group of routes, whose construct configures it. */
export type OtherFunction = 'fallback' | 'asset-store';

type QueueUrlSetting = (typeof queueUrlSettings)[JobQueue];

/** The resources, rights and settings of a function. It gets nothing else. */
export interface FunctionConfig {
  readonly memoryMb: number;
  /** Below 30 s for a group of routes, because API Gateway stops waiting then. */
  readonly timeoutSeconds: number;
  /** Actions on the table. A transaction needs the actions of its items. */
  readonly table?: readonly TableAction[];
  /**
   * The partitions that the actions may touch; a trailing `*` matches any suffix. They are the same for all actions,
   * because a transaction or batch has the partitions of all its items.
   */
  readonly partitions?: readonly string[];
  /** The index partitions that it may query. */
  readonly index?: readonly string[];
  /** Actions on texts in the bucket, which are too large for the table. */
  readonly texts?: readonly ObjectAction[];
  /** Actions on the objects of files. */
  readonly fileObjects?: readonly ObjectAction[];
  /** Actions on the objects of shares: those of their files. Reading includes listing. */
  readonly shareObjects?: readonly ObjectAction[];
  /** Actions on the files of exports. */
  readonly exportObjects?: readonly ObjectAction[];
  /** Actions on objects that clients upload directly to the bucket. */
  readonly uploads?: readonly ObjectAction[];
  /** Actions on the assets of this build and former ones. */
  readonly assets?: readonly ObjectAction[];
  /** Knows the bucket's name, without any right to its objects. */
  readonly bucketName?: true;
  /** May read the signing secret, to sign or check tokens and cursors. Authentication requires it. */
  readonly signingSecret?: true;
  /** Knows the settings of providers (`OIDC_*`), without their secrets. */
  readonly providers?: true;
  /** May read the client secrets of providers. */
  readonly providerSecrets?: true;
  /** The queues that it may send jobs to. */
  readonly jobs?: readonly JobQueue[];
  /** May read how many jobs are queued, and how many failed. */
  readonly queueState?: true;
  /** May send email from MAIL_FROM, where that is set. */
  readonly mail?: true;
  /** Lambda logs only failures: its report of each invocation would cost as much as the invocation. */
  readonly isQuiet?: true;
  /** Makes events of users, which go to the event bus where there is one. */
  readonly events?: true;
  /** Puts them there. */
  readonly putsEvents?: true;
  /** May slow routes of the gateway down, and restore them. */
  readonly gateway?: true;
  /** May call the function that makes exports. */
  readonly callsExports?: true;
  /** Settings that it reads, besides the names of the table, the bucket, the secret and the queues. */
  readonly settings?: readonly Exclude<
    SettingName,
    | 'STAGE'
    | 'TABLE_NAME'
    | 'FILES_BUCKET'
    | 'JWT_SECRET'
    | 'JWT_SECRET_ID'
    | 'PROVIDER_SECRETS_ID'
    | 'EDGE_SECRET_HASHES'
    | 'GATEWAY_PUBLIC_ROUTES'
    | 'SPENDING_LIMIT'
    | 'EVENT_BUS'
    | 'EXPORTS_FUNCTION'
    | 'MAIL_CONFIGURATION_SET'
    | QueueUrlSetting
  >[];
  /** Adds the Markdown worker to the bundle, with or without what pages add. */
  readonly markdownWorker?: 'plain' | 'with-pages';
  /** Paths of files to add to the bundle, by their names there. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The memory that comes with one vCPU. https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const oneCpuMb = 1_769;

const docsFiles = Object.fromEntries(
  Object.entries(assets).map(([name, path]) => [name, join('functions/web/docs', path)]),
);

/** What the functions read that authenticate users. */
const authentication = ['JWT_REFRESH_EXPIRES', 'EMAIL_VERIFICATION'] as const;

/** What the functions read that offer ways to sign in. */
const waysIn = ['PASSWORD_SIGN_IN', 'EMAIL_SIGN_IN'] as const;

/** What the functions read that decide who can open a share, and until when. */
const audience = ['MAX_AUDIENCE', 'REGISTRATION', 'ALLOWED_DOMAINS', 'MAX_SHARE_AGE'] as const;

/** The configuration of each function. A missing group is a type error. */
export const functionConfigs: Readonly<Record<FunctionName, FunctionConfig>> = {
  // bcrypt
  auth: {
    memoryMb: oneCpuMb,
    timeoutSeconds: 10,
    table: ['GetItem', ...readWrite],
    partitions: [
      ...accountPartitions,
      'IDENTITY#*',
      'CHALLENGE#*',
      'TOTAL#*',
      'LIMIT#*',
      'AUDIT#*',
      'OUTBOX#*',
    ],
    signingSecret: true,
    providers: true,
    jobs: ['activity', 'mail'],
    settings: [
      'JWT_ACCESS_EXPIRES',
      ...authentication,
      'SESSION_MAX_AGE',
      'PASSWORD_COST',
      'RATE_LIMIT_FACTOR',
      'REGISTRATION',
      'ALLOWED_DOMAINS',
      'MFA_REQUIRED_ROLES',
      'NEW_USER_PERMISSIONS',
      'MAIL_FROM',
      'PUBLIC_URL',
      'AUDIT_KEEP',
      ...waysIn,
    ],
  },
  // bcrypt
  users: {
    memoryMb: oneCpuMb,
    timeoutSeconds: 20,
    table: ['GetItem', ...readWrite, 'BatchWriteItem', 'ConditionCheckItem'],
    partitions: [
      ...accountPartitions,
      'IDENTITY#*',
      'TRANSFER#*',
      'SUPER_ADMINS',
      ...userDataPartitions,
      'TOTAL#*',
      'LIMIT#*',
      ...recordedWrites,
      'EXPORTS#DUE',
      ...deferredWork,
    ],
    exportObjects: ['GetObject'],
    signingSecret: true,
    settings: [
      ...authentication,
      'PASSWORD_SIGN_IN',
      'PASSWORD_COST',
      'REGISTRATION',
      'DIRECTORY',
      'ALLOWED_DOMAINS',
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
    table: readWrite,
    partitions: [...callerPartitions, 'LIMIT#*', 'AUDIT#*', ...exportPartitions],
    index: ['AUDIT#ACTOR#*'],
    signingSecret: true,
    settings: [...authentication, 'AUDIT_KEEP', 'RATE_LIMIT_FACTOR'],
  },
  // brotli
  documents: {
    memoryMb: oneCpuMb,
    timeoutSeconds: 15,
    table: readWrite,
    partitions: [
      ...callerPartitions,
      ...documentPartitions,
      'TOTAL#*',
      'LIMIT#*',
      ...recordedWrites,
      ...deferredWork,
    ],
    index: ['DOCUMENTS#ALL#*'],
    texts: ['GetObject', 'PutObject'],
    signingSecret: true,
    settings: [...authentication, 'RATE_LIMIT_FACTOR', 'AUDIT_KEEP'],
  },
  // Several sequential calls to S3
  files: {
    memoryMb: 1_024,
    timeoutSeconds: 29,
    table: readWrite,
    partitions: [
      ...callerPartitions,
      ...filePartitions,
      'TOTAL#*',
      'LIMIT#*',
      ...recordedWrites,
      ...deferredWork,
    ],
    index: ['FILES#ALL#*'],
    fileObjects: readWriteDelete,
    uploads: readWriteDelete,
    signingSecret: true,
    jobs: ['work'],
    settings: [...authentication, 'AUDIT_KEEP', 'FILES_QUOTA'],
  },
  messages: {
    memoryMb: 512,
    timeoutSeconds: 15,
    table: readWrite,
    partitions: [
      ...callerPartitions,
      'MESSAGE#*',
      'FILE#*',
      'TOTAL#*',
      'LIMIT#*',
      ...recordedWrites,
      ...deferredWork,
    ],
    texts: ['GetObject', 'PutObject'],
    fileObjects: ['GetObject'],
    signingSecret: true,
    jobs: ['work'],
    events: true,
    settings: [
      ...authentication,
      'AUDIT_KEEP',
      'RATE_LIMIT_FACTOR',
      'PUBLIC_URL',
      'NOTIFICATIONS_KEEP',
    ],
  },
  // Listing notifications also delivers pending messages to the inbox.
  notifications: {
    memoryMb: 512,
    timeoutSeconds: 15,
    table: readWrite,
    // What is told of a message, by email and webhooks, is a job of its delivery.
    partitions: [...callerPartitions, 'MESSAGE#*', 'OUTBOX#*'],
    // Moderators are told how many shares and requests wait for them, here and on pages.
    index: ['REQUESTS#REPORTED', 'SHARES#REPORTED'],
    signingSecret: true,
    events: true,
    settings: [...authentication, 'PUBLIC_URL', 'NOTIFICATIONS_KEEP'],
  },
  calendar: {
    memoryMb: 512,
    timeoutSeconds: 15,
    table: readWrite,
    partitions: [
      ...callerPartitions,
      ...eventPartitions,
      'TOTAL#*',
      'LIMIT#*',
      ...recordedWrites,
      'OUTBOX#*',
    ],
    signingSecret: true,
    settings: [...authentication, 'AUDIT_KEEP', 'PUBLIC_URL', 'RATE_LIMIT_FACTOR'],
  },
  sales: {
    memoryMb: 512,
    timeoutSeconds: 15,
    table: readWrite,
    partitions: [
      ...callerPartitions,
      'SALE#*',
      'SALES',
      'STATS#SALES#*',
      'TOTAL#*',
      'LIMIT#*',
      ...recordedWrites,
      ...exportPartitions,
    ],
    index: ['SALES#*'],
    signingSecret: true,
    settings: [...authentication, 'AUDIT_KEEP', 'CURRENCY', 'RATE_LIMIT_FACTOR'],
  },
  dashboard: {
    memoryMb: 512,
    timeoutSeconds: 15,
    table: ['BatchGetItem', 'Query', 'UpdateItem'],
    partitions: [...callerPartitions, ...eventPartitions, 'TOTAL#*', 'STATS#*'],
    signingSecret: true,
    settings: [...authentication, 'CURRENCY'],
  },
  settings: {
    memoryMb: 512,
    timeoutSeconds: 10,
    table: readWrite,
    partitions: [
      ...callerPartitions,
      'STATS#DAYS#*',
      'LIMIT#*',
      'FAILED_JOBS',
      'SPENDING#*',
      'OUTBOX#*',
      'AUDIT#*',
    ],
    texts: ['PutObject'],
    signingSecret: true,
    providers: true,
    queueState: true,
    mail: true,
    settings: [
      'VERSION',
      'COMMIT',
      'PUBLIC_URL',
      'SNIPPETS_URL',
      ...audience,
      'DEFAULT_AUDIENCE',
      'DIRECTORY',
      'MFA_REQUIRED_ROLES',
      ...waysIn,
      'ROLE_CLAIM',
      'NEW_USER_PERMISSIONS',
      'MAIL_FROM',
      'CURRENCY',
      'CHECKIN_TIMEZONE',
      'FILES_QUOTA',
      'RATE_LIMIT_FACTOR',
      'JWT_ACCESS_EXPIRES',
      ...authentication,
      'SESSION_MAX_AGE',
      'AUDIT_KEEP',
      'MESSAGES_KEEP',
      'NOTIFICATIONS_KEEP',
    ],
  },
  // Views wait for table and queue, which is cheaper with less memory; the 3 s of CPU that Markdown can take are 5.2 s.
  share: {
    memoryMb: 1_024,
    timeoutSeconds: 15,
    table: [...readWrite, 'ConditionCheckItem'],
    partitions: [
      ...callerPartitions,
      ...sharePartitions,
      'SHARES#PRUNE#*',
      // Readers are named by email address, too.
      'EMAIL#*',
      // A copy of a stored file can be shared.
      'FILE#*',
      'TOTAL#*',
      'LIMIT#*',
      ...recordedWrites,
      ...exportPartitions,
      'OUTBOX#*',
    ],
    index: ['SHARES#ALL#*', 'SHARES#REPORTED'],
    texts: ['GetObject', 'PutObject'],
    fileObjects: ['GetObject'],
    shareObjects: readWriteDelete,
    signingSecret: true,
    jobs: ['activity', 'work'],
    events: true,
    settings: [
      ...authentication,
      ...audience,
      'DEFAULT_AUDIENCE',
      'DIRECTORY',
      'FILES_QUOTA',
      'PUBLIC_URL',
      'SNIPPETS_URL',
      'MAIL_FROM',
      'RATE_LIMIT_FACTOR',
      'AUDIT_KEEP',
      'NOTIFICATIONS_KEEP',
    ],
    markdownWorker: 'with-pages',
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
    partitions: [...callerPartitions],
    signingSecret: true,
    settings: [...authentication, 'CHECKIN_TIMEZONE'],
  },
  // bcrypt, for a password that a powerful app takes
  apps: {
    memoryMb: oneCpuMb,
    // A client's own metadata may take 5 s.
    timeoutSeconds: 15,
    table: readWrite,
    partitions: [...callerPartitions, 'APPCLIENT#*', 'LIMIT#*', 'AUDIT#*', 'OUTBOX#*'],
    signingSecret: true,
    settings: [
      ...authentication,
      'PASSWORD_SIGN_IN',
      'MAX_AUDIENCE',
      'PUBLIC_URL',
      'RATE_LIMIT_FACTOR',
      'AUDIT_KEEP',
    ],
  },
  webhooks: {
    memoryMb: 512,
    timeoutSeconds: 10,
    table: readWrite,
    partitions: [...callerPartitions, ...webhookPartitions, 'LIMIT#*', 'AUDIT#*', 'OUTBOX#*'],
    signingSecret: true,
    jobs: ['hooks'],
    settings: [
      ...authentication,
      'WEBHOOKS',
      'PUBLIC_URL',
      'SNIPPETS_URL',
      'RATE_LIMIT_FACTOR',
      'AUDIT_KEEP',
    ],
  },
  // All that its tools do, which are routes of shares, documents and Markdown.
  mcp: {
    memoryMb: oneCpuMb,
    timeoutSeconds: 15,
    table: readWrite,
    partitions: [
      ...callerPartitions,
      ...sharePartitions,
      'SHARES#PRUNE#*',
      'EMAIL#*',
      ...documentPartitions,
      'TOTAL#*',
      'LIMIT#*',
      ...recordedWrites,
      ...deferredWork,
    ],
    index: ['DOCUMENTS#ALL#*'],
    texts: ['GetObject', 'PutObject'],
    shareObjects: readWriteDelete,
    signingSecret: true,
    events: true,
    settings: [
      ...authentication,
      ...audience,
      'DIRECTORY',
      'FILES_QUOTA',
      'CORS_ORIGINS',
      'VERSION',
      'PUBLIC_URL',
      'SNIPPETS_URL',
      'MAIL_FROM',
      'RATE_LIMIT_FACTOR',
      'AUDIT_KEEP',
    ],
    markdownWorker: 'with-pages',
  },
  site: {
    memoryMb: 512,
    timeoutSeconds: 10,
    table: ['BatchGetItem', 'UpdateItem'],
    partitions: [...callerPartitions],
    index: ['REQUESTS#REPORTED', 'SHARES#REPORTED'],
    signingSecret: true,
    bucketName: true,
    settings: [
      'PUBLIC_URL',
      'SNIPPETS_URL',
      ...audience,
      'DEFAULT_AUDIENCE',
      'DIRECTORY',
      'MAIL_FROM',
      'CURRENCY',
      'CHECKIN_TIMEZONE',
      ...authentication,
      ...waysIn,
    ],
    providers: true,
  },
  // bcrypt
  password: {
    memoryMb: oneCpuMb,
    timeoutSeconds: 10,
    table: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    partitions: ['USER#*', 'USERS#*', 'EMAIL#*', 'IDENTITY#*', 'LIMIT#*', 'AUDIT#*', 'OUTBOX#*'],
    // It keys the hashes of known places, and signs the session's cookie.
    signingSecret: true,
    jobs: ['activity'],
    providers: true,
    settings: [
      'PASSWORD_COST',
      'MAIL_FROM',
      'AUDIT_KEEP',
      'SESSION_MAX_AGE',
      'JWT_REFRESH_EXPIRES',
      'MFA_REQUIRED_ROLES',
      'RATE_LIMIT_FACTOR',
      'PASSWORD_SIGN_IN',
    ],
  },
  // Asking a provider takes up to four requests of 5 s. scrypt for places, and signatures of providers.
  'provider-sign-in': {
    memoryMb: 1_024,
    timeoutSeconds: 25,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    partitions: [
      ...accountPartitions,
      'IDENTITY#*',
      'ANSWER#*',
      // A claim may take the role from one of several super_admins.
      'SUPER_ADMINS',
      'TOTAL#*',
      'LIMIT#*',
      'AUDIT#*',
      'OUTBOX#*',
    ],
    signingSecret: true,
    providers: true,
    providerSecrets: true,
    jobs: ['activity'],
    settings: [
      'JWT_REFRESH_EXPIRES',
      'SESSION_MAX_AGE',
      'MFA_REQUIRED_ROLES',
      'REGISTRATION',
      'ALLOWED_DOMAINS',
      'NEW_USER_PERMISSIONS',
      'ROLE_CLAIM',
      'RATE_LIMIT_FACTOR',
      'PUBLIC_URL',
      'AUDIT_KEEP',
    ],
  },
  // It mostly waits, which is cheaper with less memory; scrypt still takes only 0.2 s.
  'share-page': {
    memoryMb: 512,
    timeoutSeconds: 15,
    table: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
    partitions: [
      ...callerPartitions,
      'SHARE#*',
      'SLUG#*',
      'LINK#*',
      'LIMIT#*',
      'AUDIT#*',
      'OUTBOX#*',
    ],
    texts: ['GetObject'],
    shareObjects: ['GetObject'],
    signingSecret: true,
    jobs: ['activity', 'work', 'mail'],
    events: true,
    settings: [
      ...authentication,
      ...audience,
      'MAIL_FROM',
      'PUBLIC_URL',
      'SNIPPETS_URL',
      'RATE_LIMIT_FACTOR',
      'AUDIT_KEEP',
      'NOTIFICATIONS_KEEP',
    ],
  },
  // It also manages requests. The 3 s of CPU that Markdown can take are 5.2 s.
  'request-page': {
    memoryMb: 1_024,
    timeoutSeconds: 15,
    table: readWrite,
    partitions: [
      'USER#*',
      'REQUEST#*',
      'SHARE#*',
      'TOTAL#*',
      'LIMIT#*',
      ...recordedWrites,
      ...deferredWork,
    ],
    index: ['REQUESTS#REPORTED'],
    texts: ['PutObject'],
    signingSecret: true,
    settings: [
      ...authentication,
      ...audience,
      'FILES_QUOTA',
      'PUBLIC_URL',
      'RATE_LIMIT_FACTOR',
      'AUDIT_KEEP',
      'NOTIFICATIONS_KEEP',
    ],
    markdownWorker: 'with-pages',
  },
  assets: {
    memoryMb: 512,
    timeoutSeconds: 10,
    isQuiet: true,
    assets: ['GetObject'],
  },
  docs: {
    memoryMb: 512,
    timeoutSeconds: 10,
    files: docsFiles,
    settings: ['PUBLIC_URL'],
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
    partitions: ['USER#*', 'SHARE#*', 'LINK#*'],
    texts: ['GetObject'],
    shareObjects: ['GetObject'],
    signingSecret: true,
    settings: [...audience, 'EMAIL_VERIFICATION', 'PUBLIC_URL', 'SNIPPETS_URL'],
    files: { [diagramScripts.name]: join('functions/web/snippet', diagramScripts.path) },
  },
  // It mostly waits for the bucket; what it holds of a file is bounded (decisions.md#exports-by-the-service).
  exports: {
    memoryMb: 256,
    timeoutSeconds: 900,
    table: readWrite,
    partitions: [
      ...callerPartitions,
      'SHARE#*',
      ...documentPartitions,
      ...filePartitions,
      'MESSAGE#*',
      ...eventPartitions,
      // Lists
      'USERS',
      'USERS#*',
      'SALES',
      'AUDIT#*',
      'JOB#*',
      ...exportPartitions,
      'OUTBOX#*',
    ],
    index: ['AUDIT#ACTOR#*', 'SALES#*', 'SHARES#ALL#*', 'SHARES#REPORTED'],
    texts: ['GetObject'],
    fileObjects: ['GetObject'],
    shareObjects: ['GetObject'],
    exportObjects: ['PutObject', 'DeleteObject', 'AbortMultipartUpload'],
    signingSecret: true,
    settings: [
      ...audience,
      'EMAIL_VERIFICATION',
      'PUBLIC_URL',
      'MAIL_FROM',
      'NOTIFICATIONS_KEEP',
      'AUDIT_KEEP',
    ],
  },
  jobs: {
    memoryMb: 512,
    timeoutSeconds: 60,
    table: ['GetItem', ...readWrite, 'BatchWriteItem', 'ConditionCheckItem'],
    partitions: [
      ...accountPartitions,
      'IDENTITY#*',
      'SPENDING#*',
      'RETENTION',
      'TRANSFER#*',
      ...userDataPartitions,
      'SHARES#PRUNE#*',
      'TOTAL#*',
      'STATS#DAYS#*',
      'VISITOR#*',
      'LIMIT#*',
      'AUDIT#*',
      'WEBHOOKS#AUDIT',
      'JOB#*',
      'FAILED_JOBS',
      'EXPORTS#DUE',
      ...deferredWork,
    ],
    index: [
      'DOCUMENTS#PURGES#*',
      'EVENTS#REMINDERS#*',
      'FILES#PURGES#*',
      'FILES#UPLOADS#ENDS#*',
      'SHARES#ALL#*',
      'SHARES#ENDS#*',
      'SHARES#HIDDEN#*',
      'SHARES#TOMBSTONES#*',
    ],
    texts: ['GetObject', 'PutObject', 'DeleteObject'],
    fileObjects: readWriteDelete,
    shareObjects: ['ListBucket', 'DeleteObject'],
    exportObjects: ['DeleteObject'],
    uploads: ['GetObject', 'DeleteObject'],
    jobs: ['mail', 'hooks', 'work'],
    mail: true,
    events: true,
    putsEvents: true,
    gateway: true,
    callsExports: true,
    settings: [
      ...audience,
      'EMAIL_VERIFICATION',
      'PUBLIC_URL',
      'SNIPPETS_URL',
      'RATE_LIMIT_FACTOR',
      'MAIL_FROM',
      'MAIL_RATE',
      'MAIL_CONCURRENCY',
      'WEBHOOKS',
      'WEBHOOK_CONCURRENCY',
      'AUDIT_KEEP',
      ...waysIn,
      'MESSAGES_KEEP',
      'NOTIFICATIONS_KEEP',
    ],
  },
};
