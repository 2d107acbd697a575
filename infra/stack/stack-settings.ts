import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { idempotencyTtlSeconds } from '../../shared/http/idempotency/idempotency-key.ts';
import type { JobQueue } from '../../shared/jobs/job-queue.ts';
import { assertProviderSetting } from '../../shared/runtime/provider-settings.ts';
import { parseSetting, SettingError, type SettingName } from '../../shared/runtime/settings.ts';
import {
  type EdgeSettings,
  edgeDefinitions,
  requireAll,
  toEdgeSettings,
} from './edge/edge-settings.ts';
import { isProviderSetting, type ProviderValues } from './settings/provider-values.ts';
import {
  httpsUrls,
  type ReadContext,
  readServiceSettings,
  type ServiceSettings,
  serviceNames,
} from './settings/service-settings.ts';
import { assertSignInSettings } from './settings/sign-in-settings.ts';
import { stageName } from './stack-name.ts';

/** The maximum requests per second, and burst of concurrent requests, of an API. */
export interface Throttle {
  readonly rate: number;
  readonly burst: number;
}

/** The certificate of both hosts, and the hosted zone, if the stack creates their DNS entries. */
export interface CustomDomainSettings {
  readonly certificateArn: string;
  readonly zone: { readonly id: string; readonly name: string } | undefined;
}

/** An amount in US dollars that the account should not exceed in a month, and who is told. */
export interface MonthlyBudgetSettings {
  readonly dollars: number;
  readonly email: string;
}

/** The settings of a deployment. */
export interface StackSettings {
  readonly stage: string;
  /** Whether destroying the stack deletes all its data. */
  readonly ephemeral: boolean;
  /** The origins whose pages may call the service; `*` alone allows all, without credentials. */
  readonly corsOrigins: readonly string[];
  readonly throttle: Throttle;
  readonly logRetention: RetentionDays;
  /** How many batches of each queue's jobs run at once. */
  readonly jobConcurrency: Readonly<Record<JobQueue, number>>;
  /** How many batches of webhooks run at once in a queue of their own. Without it they ride on another. */
  readonly webhookConcurrency: number | undefined;
  /** Whether X-Ray traces the functions. */
  readonly tracing: boolean;
  /** Receives the alarms. Without it there are none. */
  readonly alarmEmail: string | undefined;
  /** US dollars a month of measured requests, at which public routes are slowed down. */
  readonly spendingLimit: number | undefined;
  /** Whether all events go to the default event bus of the account, too. */
  readonly events: boolean;
  /** A budget of the whole account, if there is one. */
  readonly monthlyBudget: MonthlyBudgetSettings | undefined;
  /** An existing table, for instance a restored one, to use instead of a new one. */
  readonly existingTable: string | undefined;
  /** An existing bucket and secret, such as those of a destroyed stage. */
  readonly existingBucket: string | undefined;
  readonly existingSecret: string | undefined;
  readonly customDomain: CustomDomainSettings | undefined;
  /** The CDN before both hosts, if there is one. */
  readonly edge: EdgeSettings | undefined;
  /** The configured settings of the service, as text. */
  readonly service: ServiceSettings;
  /** Those of the providers that users sign in at. */
  readonly providers: ProviderValues;
}

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

const list = z.union([z.array(z.string()), z.string().transform((text) => text.split(','))]);

const text = z.string().min(1).optional();

const flag = {
  schema: z
    .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])
    .default(false),
  rule: 'true or false',
} as const;

const concurrency = () => z.coerce.number().int().min(2).max(1_000).default(2);

/** The schema and the rule for people of each setting of the stack. */
const definitions = {
  stage: stageName,
  ephemeral: flag,
  corsOrigins: {
    schema: list
      .transform((origins) => origins.map((one) => one.trim()).filter((one) => one !== ''))
      .refine((origins) => origins.join() === '*' || origins.every(isOrigin))
      .default([]),
    rule: 'origins such as https://app.example.com, comma-separated, or *',
  },
  throttleRate: {
    schema: z.coerce.number().int().min(1).max(10_000).default(100),
    rule: 'the requests per second that an API accepts, from 1 to 10000',
  },
  throttleBurst: {
    schema: z.coerce.number().int().min(1).max(5_000).default(200),
    rule: 'the burst of requests that an API accepts, from 1 to 5000',
  },
  logRetentionDays: {
    schema: z.coerce
      .number()
      .refine((days): days is RetentionDays => days in RetentionDays)
      .default(RetentionDays.ONE_MONTH),
    rule: 'a number of days that CloudWatch Logs supports, such as 7, 30, 90 or 365',
  },
  // The minimum is SQS's. A new account has only ten concurrent executions, which requests need.
  activityConcurrency: {
    schema: concurrency(),
    rule: 'how many batches of activity are processed at once, from 2 to 1000',
  },
  jobConcurrency: {
    schema: concurrency(),
    rule: 'how many batches of jobs run at once, from 2 to 1000',
  },
  webhookConcurrency: {
    schema: z.coerce.number().int().min(2).max(1_000).optional(),
    rule: 'how many batches of webhooks run at once, from 2 to 1000, in a queue of their own',
  },
  tracing: flag,
  alarmEmail: {
    schema: z.string().trim().check(z.email()).optional(),
    rule: 'the email address for alarms',
  },
  monthlyBudget: {
    schema: z.coerce.number().min(1).max(1_000_000).optional(),
    rule: 'US dollars a month, from 1 to 1000000, such as 10',
  },
  spendingLimit: {
    schema: z.coerce.number().min(5).max(1_000_000).optional(),
    rule: 'US dollars a month, from 5 to 1000000, at which shared pages are slowed down',
  },
  events: flag,
  existingTable: {
    schema: z
      .string()
      .regex(/^[\w.-]{3,255}$/)
      .optional(),
    rule: 'the name of a DynamoDB table in the same account and region',
  },
  existingBucket: {
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
      .optional(),
    rule: 'the name of an S3 bucket in the same account and region',
  },
  existingSecret: {
    schema: z
      .string()
      .regex(/^arn:[\w-]+:secretsmanager:[\w-]+:\d{12}:secret:[\w/+=.@-]+$/)
      .optional(),
    rule: 'the ARN of a secret in the same account and region',
  },
  certificateArn: {
    schema: z
      .string()
      .regex(/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/)
      .optional(),
    rule: 'the ARN of a certificate in the region of the stack',
  },
  hostedZoneId: { schema: text, rule: 'the id of the hosted zone in Route 53' },
  hostedZoneName: { schema: text, rule: 'the name of the hosted zone, such as example.com' },
  edge: flag,
  ...edgeDefinitions,
} as const;

type Definitions = typeof definitions;
type Name = keyof Definitions;

/** The names of all settings but the stage and those of providers. */
export const settingNames: readonly string[] = [
  ...Object.keys(definitions).filter((name) => name !== 'stage'),
  ...serviceNames,
];

const parse = <N extends Name>(name: N, value: unknown): z.output<Definitions[N]['schema']> => {
  const { schema, rule } = definitions[name];
  const result = schema.safeParse(value === '' ? undefined : value);
  if (!result.success) throw new SettingError(`Set ${name} to ${rule}.`);
  return result.data as z.output<Definitions[N]['schema']>;
};

/**
 * Parses the text of a known setting by its own rule. An empty one is the default; `undefined` where a stage knows it itself,
 * such as its address.
 * @throws SettingError
 */
export const parseDeploymentSetting = (name: string, value: string): unknown => {
  if (name in definitions) return parse(name as Name, value);
  if (isProviderSetting(name)) {
    if (value !== '') assertProviderSetting(name, value);
    return value;
  }
  if (value === '' && httpsUrls.some((url) => url === name)) return undefined;
  return parseSetting(name as SettingName, value || undefined);
};

/** @throws SettingError for a budget of which nobody would be told */
const readBudget = (read: ReadContext): MonthlyBudgetSettings | undefined => {
  const dollars = parse('monthlyBudget', read('monthlyBudget'));
  if (dollars === undefined) return undefined;
  const email = parse('alarmEmail', read('alarmEmail'));
  if (email === undefined) {
    throw new SettingError('Set alarmEmail to the email address that AWS tells of monthlyBudget.');
  }
  return { dollars, email };
};

/** @throws SettingError for a queue of webhooks that are off */
const readWebhookConcurrency = (
  read: ReadContext,
  { WEBHOOKS }: ServiceSettings,
): number | undefined => {
  const concurrency = parse('webhookConcurrency', read('webhookConcurrency'));
  if (concurrency !== undefined && parseSetting('WEBHOOKS', WEBHOOKS) === 'off') {
    throw new SettingError('Leave out webhookConcurrency: WEBHOOKS is off.');
  }
  return concurrency;
};

/** @throws SettingError for an origin outside of the zone */
const assertInZone = (service: ServiceSettings, zone: string): void => {
  for (const name of httpsUrls) {
    const { host } = new URL(service[name] ?? '');
    if (host !== zone && !host.endsWith(`.${zone}`)) {
      throw new SettingError(`Set ${name} to an https origin in the zone ${zone}.`);
    }
  }
};

const readDomain = (read: ReadContext) => ({
  certificateArn: parse('certificateArn', read('certificateArn')),
  hostedZoneId: parse('hostedZoneId', read('hostedZoneId')),
  hostedZoneName: parse('hostedZoneName', read('hostedZoneName')),
});

const readEdge = (read: ReadContext, service: ServiceSettings): EdgeSettings | undefined => {
  const edge = toEdgeSettings({
    edge: parse('edge', read('edge')),
    edgeCertificateArn: parse('edgeCertificateArn', read('edgeCertificateArn')),
    webAclArn: parse('webAclArn', read('webAclArn')),
    ...readDomain(read),
    PUBLIC_URL: service.PUBLIC_URL,
    SNIPPETS_URL: service.SNIPPETS_URL,
  });
  if (edge?.zone) assertInZone(service, edge.zone.name);
  return edge;
};

const readCustomDomain = (
  read: ReadContext,
  service: ServiceSettings,
): CustomDomainSettings | undefined => {
  const configured = readDomain(read);
  if (Object.values(configured).every((value) => value === undefined)) return undefined;
  const { certificateArn, hostedZoneId, hostedZoneName } = configured;
  const { PUBLIC_URL, SNIPPETS_URL } = service;
  requireAll({ certificateArn, PUBLIC_URL, SNIPPETS_URL }, 'a custom domain');
  for (const name of httpsUrls) {
    if (new URL(service[name] ?? '').port !== '') {
      throw new SettingError(
        `Set ${name} to an https origin without a port: API Gateway has none.`,
      );
    }
  }
  const hasZone = hostedZoneId !== undefined || hostedZoneName !== undefined;
  if (hasZone) {
    requireAll({ hostedZoneId, hostedZoneName }, 'DNS names of a custom domain');
    assertInZone(service, hostedZoneName ?? '');
  }
  return {
    certificateArn: certificateArn ?? '',
    zone: hasZone ? { id: hostedZoneId ?? '', name: hostedZoneName ?? '' } : undefined,
  };
};

/** @throws SettingError for what the regions of China don't have */
const assertInPartition = (
  region: string,
  wanted: Readonly<Record<'edge' | 'MAIL_FROM', string | undefined>>,
): void => {
  if (!region.startsWith('cn-')) return;
  if (wanted.MAIL_FROM !== undefined) {
    throw new SettingError(`Leave out MAIL_FROM in ${region}: Amazon SES isn’t in China.`);
  }
  if (wanted.edge !== undefined) {
    throw new SettingError(
      `Leave out edge in ${region}: CloudFront in China is another service, without certificates of us-east-1 and without functions.`,
    );
  }
};

/**
 * Reads the settings of a deployment from what was chosen, and else the defaults. `region` is that of the deployment, if it
 * is known; `providers` are all settings of providers.
 * @throws SettingError for the first invalid setting; the message names it and says what to set
 */
export const readStackSettings = (
  read: ReadContext,
  region = '',
  providers: ProviderValues = {},
): StackSettings => {
  const stage = parse('stage', read('stage'));
  const ephemeral = parse('ephemeral', read('ephemeral'));
  if (ephemeral && stage === 'prod') {
    throw new SettingError(
      'Set stage to a name other than prod: an ephemeral stack retains no data.',
    );
  }
  const service = readServiceSettings(read);
  assertSignInSettings(service, providers);
  const edge = readEdge(read, service);
  assertInPartition(region, { edge: edge && 'true', MAIL_FROM: service.MAIL_FROM });
  const mail = parseSetting('MAIL_CONCURRENCY', service.MAIL_CONCURRENCY);
  const activity = parse('activityConcurrency', read('activityConcurrency'));
  const work = parse('jobConcurrency', read('jobConcurrency'));
  const shared = service.MAIL_FROM === undefined ? work : mail;
  const webhookConcurrency = readWebhookConcurrency(read, service);
  return {
    stage,
    ephemeral,
    corsOrigins: parse('corsOrigins', read('corsOrigins')),
    throttle: {
      rate: parse('throttleRate', read('throttleRate')),
      burst: parse('throttleBurst', read('throttleBurst')),
    },
    logRetention: parse('logRetentionDays', read('logRetentionDays')),
    jobConcurrency: { mail, activity, work, hooks: webhookConcurrency ?? shared },
    webhookConcurrency,
    tracing: parse('tracing', read('tracing')),
    alarmEmail: parse('alarmEmail', read('alarmEmail')),
    monthlyBudget: readBudget(read),
    spendingLimit: parse('spendingLimit', read('spendingLimit')),
    events: parse('events', read('events')),
    existingTable: parse('existingTable', read('existingTable')),
    existingBucket: parse('existingBucket', read('existingBucket')),
    existingSecret: parse('existingSecret', read('existingSecret')),
    customDomain: edge ? undefined : readCustomDomain(read, service),
    edge,
    service,
    providers,
  };
};

/**
 * Returns the longest lifetime (ms) of anything that the secret signs: sessions, which outlive their tokens, or idempotency
 * keys.
 */
export const getLongestTokenMs = ({ service }: Pick<StackSettings, 'service'>): number =>
  Math.max(parseSetting('SESSION_MAX_AGE', service.SESSION_MAX_AGE), idempotencyTtlSeconds * 1_000);
