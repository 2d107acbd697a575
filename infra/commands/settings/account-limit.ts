import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { StackSettings } from '../../stack/stack-settings.ts';
import { print, printProblem } from '../command.ts';

/** The bound of the request. ms. */
const timeoutMs = 10_000;

/** The quota “Concurrent executions” of Lambda in Service Quotas. */
const quotaCode = 'L-B99A9384';

/** What most accounts get, and new ones when they ask. */
const usualLimit = 1_000;

/** Below so many executions for requests, a few people at once notice it. */
const plentyForPeople = 100;

/** What a page asks for at once at its first visit. */
const requestsOfPage = 6;

/** From so many executions on, webhooks can have some of their own. */
const enoughForHooks = 50;

/** The least that SQS takes. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
const leastConcurrency = 2;

/** Concurrent executions of Lambda in an account and region. */
export interface Concurrency {
  readonly region: string;
  /** All that it may have. */
  readonly limit: number;
  /** Those that no function has reserved. */
  readonly available: number;
}

/** Work that no request waits for, with the executions that it may hold at once. Without email, its queue is empty. */
const listHeld = ({
  jobConcurrency: { mail, activity, work },
  webhookConcurrency,
  service,
}: StackSettings): readonly (readonly [name: string, count: number])[] => [
  ['activityConcurrency', activity],
  ['jobConcurrency', work],
  ...(service.MAIL_FROM === undefined ? [] : [['MAIL_CONCURRENCY', mail] as const]),
  ...(webhookConcurrency === undefined
    ? []
    : [['webhookConcurrency', webhookConcurrency] as const]),
  ['the scheduled run', 1],
];

/**
 * Says what the account's limit means for these settings, and how to raise it; nothing where it is no limit for people. A
 * deployment can't reserve executions for people: an account must keep 100 unreserved, a new one all its 10.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
export const describeLimit = (
  { region, limit, available }: Concurrency,
  settings: StackSettings,
): string[] => {
  const held = listHeld(settings);
  const sum = held.reduce((total, [, count]) => total + count, 0);
  const left = Math.max(0, available - sum);
  if (left >= plentyForPeople) return [];
  const parts = held.map(([name, count]) => `${name} ${count}`).join(', ');
  const reserved =
    available < limit ? `, of which functions have reserved ${limit - available}` : '';
  const raised = held.filter(([, count]) => count > leastConcurrency).map(([name]) => name);
  return [
    `Lambda runs up to ${limit} functions at once in this account in ${region}${reserved}. Background work can hold ${sum} of them (${parts}) and leaves ${left} for people, while a page asks for up to ${requestsOfPage} at once: beyond it requests get a 503, and jobs wait and are tried again.`,
    ...(raised.length > 0
      ? [`Lower ${raised.join(' and ')}, to ${leastConcurrency} at least, or raise the limit.`]
      : [`Background work already has the least that SQS takes.`]),
    `Ask AWS for ${usualLimit} “Concurrent executions”, which cost nothing: https://${region}.console.aws.amazon.com/servicequotas/home/services/lambda/quotas/${quotaCode}`,
    `or \`aws service-quotas request-service-quota-increase --region ${region} --service-code lambda --quota-code ${quotaCode} --desired-value ${usualLimit}\``,
  ];
};

/** Says that webhooks could have a queue of their own, where the account has room for it and they have none. */
export const describeRoom = (
  { limit }: Pick<Concurrency, 'limit'>,
  { webhookConcurrency, service }: Pick<StackSettings, 'webhookConcurrency' | 'service'>,
): string[] =>
  limit < enoughForHooks || webhookConcurrency !== undefined || service.WEBHOOKS === 'off'
    ? []
    : [
        `Webhooks share a queue with ${service.MAIL_FROM === undefined ? 'other jobs' : 'emails'}. This account has room for one of their own: -c webhookConcurrency=${leastConcurrency}, for $0.26 a month.`,
      ];

const readLimit = async (): Promise<Concurrency> => {
  const client = new LambdaClient({ maxAttempts: 2 });
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}), {
    abortSignal: AbortSignal.timeout(timeoutMs),
  });
  const limit = AccountLimit?.ConcurrentExecutions;
  if (limit === undefined) throw new Error('Lambda didn’t tell');
  const available = AccountLimit?.UnreservedConcurrentExecutions ?? limit;
  return { region: await client.config.region(), limit, available };
};

/** Reads the account's limit and says what it means for these settings. A deployment goes on without it. */
export const checkLimit = async (settings: StackSettings): Promise<void> => {
  try {
    const concurrency = await readLimit();
    const lines = [...describeLimit(concurrency, settings), ...describeRoom(concurrency, settings)];
    for (const line of lines) print(line);
  } catch (error) {
    const reason = /^AccessDenied/.test((error as Error).name)
      ? 'your credentials lack lambda:GetAccountSettings'
      : (error as Error).message;
    printProblem(
      `How many functions may run at once in this account isn’t known (${reason}). A new account has 10; the deployment goes on.`,
    );
  }
};
