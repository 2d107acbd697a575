import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { idempotencyTtlSeconds } from '../../shared/http/idempotency/idempotency-key.ts';
import { parseSetting, SettingError, type SettingName } from '../../shared/runtime/settings.ts';
import { functionConfigs } from '../functions/function-config.ts';
import { stageName } from './stack-name.ts';

/** The most requests a second, and at once, that an API lets through. */
export interface Throttle {
  readonly rate: number;
  readonly burst: number;
}

/** A certificate for both hosts and the zone that their names are in. */
export interface CustomDomainSettings {
  readonly certificateArn: string;
  readonly hostedZoneId: string;
  readonly hostedZoneName: string;
}

/** Everything that can be chosen about a deployment. */
export interface StackSettings {
  readonly stage: string;
  /** A throw-away stack: nothing in it outlives it. */
  readonly ephemeral: boolean;
  /** Whose pages may call the service from a browser; `*` alone for anybody's, without credentials. */
  readonly corsOrigins: readonly string[];
  readonly throttle: Throttle;
  readonly logRetention: RetentionDays;
  readonly alarmEmail: string | undefined;
  /** A table that exists already, for instance a restored one, in place of one made by the stack. */
  readonly existingTable: string | undefined;
  readonly ownDomain: CustomDomainSettings | undefined;
  /** The service's own settings that were chosen, as text. */
  readonly service: Readonly<Partial<Record<SettingName, string>>>;
}

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

const list = z.union([z.array(z.string()), z.string().transform((text) => text.split(','))]);

const text = z.string().min(1).optional();

/** Each setting of the stack: how its value is parsed, and what a person has to be told to set. */
const definitions = {
  stage: stageName,
  ephemeral: {
    schema: z
      .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])
      .default(false),
    rule: 'true or false',
  },
  corsOrigins: {
    schema: list
      .transform((origins) => origins.map((one) => one.trim()).filter((one) => one !== ''))
      .refine((origins) => origins.join() === '*' || origins.every(isOrigin))
      .default([]),
    rule: 'origins such as https://app.example.com, with commas between them, or to * alone',
  },
  throttleRate: {
    schema: z.coerce.number().int().min(1).max(10_000).default(100),
    rule: 'the requests a second that an API lets through, from 1 to 10000',
  },
  throttleBurst: {
    schema: z.coerce.number().int().min(1).max(5_000).default(200),
    rule: 'the requests at once that an API lets through, from 1 to 5000',
  },
  logRetentionDays: {
    schema: z.coerce
      .number()
      .refine((days): days is RetentionDays => days in RetentionDays)
      .default(RetentionDays.ONE_MONTH),
    rule: 'a number of days that CloudWatch Logs knows, such as 7, 30, 90 or 365',
  },
  alarmEmail: {
    schema: z.string().trim().check(z.email()).optional(),
    rule: 'the e-mail address that alarms go to',
  },
  existingTable: {
    schema: z
      .string()
      .regex(/^[\w.-]{3,255}$/)
      .optional(),
    rule: 'the name of a DynamoDB table in the same account and region',
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
} as const;

type Definitions = typeof definitions;
type Name = keyof Definitions;

/** The service's settings that a function reads; the rest is none of a deployment's business. */
const serviceNames = [
  ...new Set(Object.values(functionConfigs).flatMap(({ settings }) => settings ?? [])),
] as SettingName[];

/** Where values come from, for instance the context of the CDK. */
export type ReadContext = (name: string) => unknown;

/** The values of a stage from `stages` in cdk.json. A name that isn't a setting's is refused. */
const readRetention = (stage: string, read: ReadContext): Readonly<Record<string, unknown>> => {
  const stages = (read('stages') ?? {}) as Record<string, Record<string, unknown>>;
  const kept = stages[stage] ?? {};
  const known: readonly string[] = [...Object.keys(definitions), ...serviceNames];
  const unknown = Object.keys(kept).find((name) => !known.includes(name) || name === 'stage');
  if (unknown)
    throw new SettingError(`Take ${unknown} out of stages.${stage}: no setting has this name.`);
  return kept;
};

/** A text, checked by the service's own rule; an origin as the service will read it. */
const readServiceSetting = (name: SettingName, value: string): string => {
  const parsed = parseSetting(name, value);
  return name === 'PUBLIC_URL' || name === 'SNIPPETS_URL' ? String(parsed) : value;
};

const parse = <N extends Name>(name: N, value: unknown): z.output<Definitions[N]['schema']> => {
  const { schema, rule } = definitions[name];
  const result = schema.safeParse(value === '' ? undefined : value);
  if (!result.success) throw new SettingError(`Set ${name} to ${rule}.`);
  return result.data as z.output<Definitions[N]['schema']>;
};

const httpsUrls = ['PUBLIC_URL', 'SNIPPETS_URL'] as const;

const serviceSettings = (read: ReadContext): StackSettings['service'] => {
  const chosen: Partial<Record<SettingName, string>> = {};
  for (const name of serviceNames) {
    const value = read(name);
    if (value !== undefined && value !== '') chosen[name] = readServiceSetting(name, String(value));
  }
  for (const name of httpsUrls) {
    if (chosen[name]?.startsWith('http:'))
      throw new SettingError(`Set ${name} to an https origin.`);
  }
  if (chosen.PUBLIC_URL !== undefined && chosen.PUBLIC_URL === chosen.SNIPPETS_URL) {
    throw new SettingError('Set SNIPPETS_URL to another origin than PUBLIC_URL.');
  }
  return chosen;
};

const readCustomDomain = (
  read: ReadContext,
  service: StackSettings['service'],
): CustomDomainSettings | undefined => {
  const certificateArn = parse('certificateArn', read('certificateArn'));
  const hostedZoneId = parse('hostedZoneId', read('hostedZoneId'));
  const hostedZoneName = parse('hostedZoneName', read('hostedZoneName'));
  const given = { certificateArn, hostedZoneId, hostedZoneName };
  if (Object.values(given).every((value) => value === undefined)) return undefined;
  const missing = Object.entries({
    ...given,
    ...Object.fromEntries(httpsUrls.map((name) => [name, service[name]])),
  }).find(([, value]) => value === undefined);
  if (missing) throw new SettingError(`Set ${missing[0]} too: a domain of one's own needs it.`);
  for (const name of httpsUrls) {
    const { host } = new URL(service[name] ?? '');
    if (host !== hostedZoneName && !host.endsWith(`.${hostedZoneName}`)) {
      throw new SettingError(`Set ${name} to an https origin in the zone ${hostedZoneName}.`);
    }
  }
  return given as CustomDomainSettings;
};

/**
 * The settings of a deployment. A value comes from the command line (`-c name=value`), else from `stages.<stage>` in
 * cdk.json, else from the default.
 * @throws SettingError for the first that is unusable; the message names it and says what to set
 */
export const readStackSettings = (context: ReadContext): StackSettings => {
  const stage = parse('stage', context('stage'));
  const kept = readRetention(stage, context);
  const read: ReadContext = (name) => context(name) ?? kept[name];
  const ephemeral = parse('ephemeral', read('ephemeral'));
  if (ephemeral && stage === 'prod') {
    throw new SettingError(
      'Set stage to another name than prod: an ephemeral stack keeps nothing.',
    );
  }
  const service = serviceSettings(read);
  return {
    stage,
    ephemeral,
    corsOrigins: parse('corsOrigins', read('corsOrigins')),
    throttle: {
      rate: parse('throttleRate', read('throttleRate')),
      burst: parse('throttleBurst', read('throttleBurst')),
    },
    logRetention: parse('logRetentionDays', read('logRetentionDays')),
    alarmEmail: parse('alarmEmail', read('alarmEmail')),
    existingTable: parse('existingTable', read('existingTable')),
    ownDomain: readCustomDomain(read, service),
    service,
  };
};

/**
 * How long (ms) what a secret has signed may still be sent. Session cookies live as long as their sessions may, which no
 * refresh token outlives; a request is known again for a day.
 */
export const getLongestTokenMs = ({ service }: Pick<StackSettings, 'service'>): number =>
  Math.max(parseSetting('SESSION_MAX_AGE', service.SESSION_MAX_AGE), idempotencyTtlSeconds * 1_000);
