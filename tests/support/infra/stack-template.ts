import type { AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import cdk from '../../../cdk.json' with { type: 'json' };
import { hosts, listGroups } from '../../../functions/routes.ts';
import { createApp } from '../../../infra/stack/handbill-app.ts';
import type { Host } from '../../../shared/http/host.ts';
import type { JobQueue } from '../../../shared/jobs/job-queue.ts';
import { synthesized } from './synthesized.ts';

export type Properties = Record<string, unknown>;
interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;
}

/** Creates the app of `cdk deploy` without bundles, with these context values. */
export const createStack = (context: Record<string, unknown> = {}, props: AppProps = {}) => {
  const bundleNothing = { 'aws:cdk:bundling-stacks': [] };
  return createApp({ context: { ...cdk.context, ...context, ...bundleNothing }, ...props });
};

/**
 * Leaves out the CDK's own checks of a template, which take longer than all else; `cdk-nag.long.test.ts` proves that a
 * synthesis with them has no warnings.
 */
export const withoutChecks: AppProps = { builtinCloudFormationValidation: false };

/** Returns the template of the stack with these context values, which a process synthesizes once. */
export const synthesize = (context: Record<string, unknown> = {}): Template => {
  const key = JSON.stringify(context);
  const known =
    synthesized.get(key) ?? Template.fromStack(createStack(context, withoutChecks).stack);
  synthesized.set(key, known);
  return known;
};

export const template = synthesize();

/** Settings that an operator can choose, and that have nothing to do with each other: to synthesize a stack takes a second. */
export const chosen = {
  throttleRate: '7',
  throttleBurst: 3,
  corsOrigins: 'https://app.example.com, https://b.example.com',
  PUBLIC_URL: 'https://share.example.com',
  PASSWORD_COST: '11',
  MAIL_CONCURRENCY: '3',
  activityConcurrency: '4',
  jobConcurrency: '5',
  MAIL_FROM: 'service@example.com',
  alarmEmail: 'ops@example.com',
  monthlyBudget: '25',
  spendingLimit: '50',
} as const;

/** Other choices: a bucket that exists, and pages of any origin. */
export const otherwiseChosen = { existingBucket: 'files-of-before', corsOrigins: '*' } as const;

export const resources = (type: string): [id: string, properties: Properties][] =>
  Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, Properties]);

export const theOnly = (type: string): string => {
  const [only, ...others] = resources(type);
  if (!only || others.length > 0) throw new Error(`There is not one ${type}`);
  return only[0];
};

export const tableId = theOnly('AWS::DynamoDB::GlobalTable');
export const bucketId = theOnly('AWS::S3::Bucket');
export const secretId = theOnly('AWS::SecretsManager::Secret');

const queueIdOf = (name: string): string => {
  const queue = resources('AWS::SQS::Queue').find(([id]) => id.startsWith(`JobQueues${name}`));
  if (!queue) throw new Error('The queue is missing');
  return queue[0];
};

export const queueIds: Readonly<Record<JobQueue, string>> = {
  mail: queueIdOf('Mail'),
  activity: queueIdOf('Activity'),
  work: queueIdOf('Work'),
  // Without email, webhooks ride on the queue of all other jobs.
  hooks: queueIdOf('Work'),
};
export const deadLettersId = queueIdOf('DeadLetters');

const apiIdOf = (host: Host): string => {
  const api = resources('AWS::ApiGatewayV2::Api').find(
    ([, { Name }]) => Name === `handbill-prod-${host}`,
  );
  if (!api) throw new Error(`There is no API for ${host}`);
  return api[0];
};

export const apiIds: Record<Host, string> = {
  service: apiIdOf('service'),
  snippets: apiIdOf('snippets'),
};

export const allHosts = Object.keys(hosts) as Host[];

export const groups: readonly string[] = allHosts.flatMap(listGroups).map(({ name }) => name);

/** Returns the request functions by their dashboard names: a group, or the fallback of a host. */
export const answeringNames = [...groups, 'service fallback', 'snippets fallback'];

export const functionNames = [...answeringNames, 'jobs', 'exports', 'asset-store'];

const hostOfFallback = (name: string): Host | undefined =>
  allHosts.find((host) => name === `${host} fallback`);

export const functionOf = (name: string): [id: string, properties: Properties] => {
  const host = hostOfFallback(name);
  const found = resources('AWS::Lambda::Function').find(([, { Description, Environment }]) =>
    host
      ? Description === 'Handbill: fallback' &&
        (Environment as { Variables: Properties }).Variables['API_HOST'] === host
      : Description === `Handbill: ${name}`,
  );
  if (!found) throw new Error(`There is no function ${name}`);
  return found;
};

/** Returns the statements of a role's own policies. */
export const inlineStatements = ({ Policies = [] }: Properties): Statement[] =>
  (Policies as { PolicyDocument: { Statement: Statement[] } }[]).flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );

export const statementsOf = (group: string): Statement[] => {
  const { Role } = functionOf(group)[1] as { Role: { 'Fn::GetAtt': [string, string] } };
  const role = resources('AWS::IAM::Role').find(([id]) => id === Role['Fn::GetAtt'][0]);
  return inlineStatements(role?.[1] ?? {});
};

/** Returns the permissions of a group's function on resources with this prefix, such as `dynamodb`. */
export const actionsOf = (group: string, service: string): string[] => [
  ...new Set(
    statementsOf(group)
      .flatMap(({ Action }) => Action)
      .filter((action) => action.startsWith(`${service}:`))
      .map((action) => action.slice(service.length + 1)),
  ),
];

export const mentions = (value: unknown, logicalId: string): boolean =>
  JSON.stringify(value).includes(`"${logicalId}"`);
