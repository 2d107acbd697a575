import type { GroupName } from '../../../functions/routes.ts';
import type { JobQueue, queueUrlSettings } from '../../../shared/jobs/job-queue.ts';
import type { SettingName } from '../../../shared/runtime/settings.ts';
import type { ObjectAction, TableAction } from './rights.ts';

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
