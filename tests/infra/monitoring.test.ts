import { readFileSync } from 'node:fs';
import { Match } from 'aws-cdk-lib/assertions';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  answeringNames,
  apiIds,
  chosen,
  mentions,
  type Properties,
  resources,
  synthesize,
  tableId,
  template,
} from '../support/infra/stack-template.ts';

/** A stage with an address for alarms, and with email. */
const watched = synthesize(chosen);

/** Returns the alarms of a template by name, without the part that all have. */
const alarmsOf = (made: typeof template): Record<string, Properties> =>
  Object.fromEntries(
    Object.values(made.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => [
      Properties.AlarmName.replace(/^handbill-prod-/, ''),
      Properties,
    ]),
  );

const alarms = alarmsOf(watched);

/** Returns the metrics of an alarm, each of which costs. */
const metricsOf = (alarm: Properties | undefined): Properties[] => {
  const { Metrics } = alarm as { Metrics?: { MetricStat?: { Metric: Properties } }[] };
  if (!Metrics) return [alarm as Properties];
  return Metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
};

/** The alarms that the README's table says what to do about. */
const readmeAlarms = (): string[] => {
  const [, table = ''] = readFileSync('README.md', 'utf8').split('| What fails | Alarm |');
  const rows = table.split('\n\n')[0]?.split('\n') ?? [];
  const cells = rows.map((row) => row.split('|')[2] ?? '');
  return cells
    .flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name))
    .sort();
};

describe('the alarms', () => {
  it('are those of the README, with one metric each', () => {
    expect(Object.keys(alarms).sort()).toEqual(readmeAlarms());
    for (const alarm of Object.values(alarms)) expect(metricsOf(alarm)).toHaveLength(1);
    expect(Object.keys(alarms)).toHaveLength(19);
  });

  it('watch email only where there is any', () => {
    const { alarmEmail } = chosen;
    const withoutMail = Object.keys(alarmsOf(synthesize({ alarmEmail })));
    expect(withoutMail).toEqual(Object.keys(alarms).filter((name) => !name.startsWith('mail-')));
    expect(withoutMail).toHaveLength(16);
  });

  it('are none without an address that receives them', () => {
    template.resourceCountIs('AWS::CloudWatch::Alarm', 0);
    template.resourceCountIs('AWS::SNS::Topic', 0);
  });

  it('read the own metrics of their stage', () => {
    const own = Object.values(alarms)
      .flatMap(metricsOf)
      .filter(({ Namespace, Dimensions }) => Namespace === 'Handbill' && Dimensions);
    expect(own.map(({ MetricName }) => MetricName).sort()).toEqual([
      'EmailConfigErrors',
      'JobsDropped',
      'JobsGivenUp',
      'JobsLost',
      'RateLimiterFailures',
      'SweepsFailed',
      'SweepsFinished',
      'TableThrottled',
    ]);
    for (const { Dimensions } of own)
      expect(Dimensions).toEqual([
        { Name: 'service', Value: 'handbill' },
        { Name: 'stage', Value: 'prod' },
      ]);
  });

  it('go off when the scheduled run becomes silent, and not before its first', () => {
    expect(alarms['schedule-stopped']).toMatchObject({
      Metrics: [{ Expression: 'FILL(finished, 0)' }, { Id: 'finished' }],
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      EvaluationPeriods: 2,
      // Breaching, it would be in alarm from its creation to the first run.
      TreatMissingData: 'ignore',
    });
  });

  it.each([
    ['GatewayThrottled', '{ ($.status = "429") && ($.integrationStatus = "-") }'],
    ['FunctionsThrottled', '{ $.integrationStatus = "429" }'],
  ])('see in the access logs of both APIs of this stage alone: %s', (name, FilterPattern) => {
    const filters = Object.values(
      watched.findResources('AWS::Logs::MetricFilter', {
        Properties: {
          FilterPattern,
          MetricTransformations: [
            { MetricNamespace: 'Handbill', MetricName: `${name} prod`, MetricValue: '1' },
          ],
        },
      }),
    );
    expect(filters).toHaveLength(2);
    expect(Object.values(alarms).flatMap(metricsOf)).toContainEqual(
      expect.objectContaining({ Namespace: 'Handbill', MetricName: `${name} prod` }),
    );
  });

  it('notify the email address through a topic that only alarms can publish to', () => {
    const topic = { Ref: Object.keys(watched.findResources('AWS::SNS::Topic'))[0] };
    watched.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@example.com',
      TopicArn: topic,
    });
    watched.allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions: [topic] });
    watched.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Action: 'sns:Publish' }),
          Match.objectLike({
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ]),
      },
    });
  });
});

describe('the budget', () => {
  it('emails at 50, 80 and 100 % of the amount, and when 100 % is forecast', () => {
    template.resourceCountIs('AWS::Budgets::Budget', 0);
    const notice = (NotificationType: string, Threshold: number) => ({
      Notification: {
        NotificationType,
        Threshold,
        ThresholdType: 'PERCENTAGE',
        ComparisonOperator: 'GREATER_THAN',
      },
      Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'ops@example.com' }],
    });
    watched.hasResourceProperties('AWS::Budgets::Budget', {
      Budget: {
        BudgetType: 'COST',
        TimeUnit: 'MONTHLY',
        BudgetLimit: { Amount: 25, Unit: 'USD' },
        // Names are the account's, and a stage may be in two regions.
        BudgetName: Match.absent(),
      },
      NotificationsWithSubscribers: [
        notice('ACTUAL', 50),
        notice('ACTUAL', 80),
        notice('ACTUAL', 100),
        notice('FORECASTED', 100),
      ],
    });
  });

  it('is refused without an address', () => {
    expect(() => synthesize({ monthlyBudget: '25' })).toThrow(
      'Set alarmEmail to the email address that AWS tells of monthlyBudget.',
    );
  });
});

describe('the spending limit', () => {
  const functions = (made: typeof template) =>
    Object.values(made.findResources('AWS::Lambda::Function'))
      .filter(({ Properties }) => Properties.Description !== 'Handbill: asset-store')
      .map(({ Properties }) => Properties.Environment.Variables);

  it('is known to every function that answers requests or runs jobs, and they may write to the month', () => {
    for (const variables of functions(watched)) {
      expect(variables).toMatchObject({ SPENDING_LIMIT: '50', TABLE_NAME: { Ref: tableId } });
    }
    watched.hasOutput('SpendingLimit', { Value: '50' });
    for (const variables of functions(template)) {
      expect(variables).not.toHaveProperty('SPENDING_LIMIT');
    }
  });

  it('lets only the jobs function change the limits of routes', () => {
    const knowing = functions(template).filter(
      ({ GATEWAY_PUBLIC_ROUTES }) => GATEWAY_PUBLIC_ROUTES,
    );
    expect(knowing).toHaveLength(1);
    const routes = JSON.stringify(knowing[0].GATEWAY_PUBLIC_ROUTES);
    for (const id of Object.values(apiIds)) expect(routes).toContain(id);
    expect(routes).toContain('/s/');
    expect(routes).not.toContain('/api/auth');
    expect(routes).not.toContain('/api/settings');
  });
});

describe('the dashboard', () => {
  const [[, dashboard] = ['', {}]] = resources('AWS::CloudWatch::Dashboard');
  const text = JSON.stringify(dashboard['DashboardBody']);

  it('shows every function that answers requests, runs jobs or makes exports, both APIs, the table and the queues', () => {
    expect(JSON.stringify(dashboard['DashboardName'])).toContain('handbill-prod-');
    for (const id of [...Object.values(apiIds), tableId])
      expect(mentions(dashboard['DashboardBody'], id)).toBe(true);
    for (const [id] of resources('AWS::SQS::Queue')) expect(text).toContain(id);
    expect(text.match(/SOURCE '/g)).toHaveLength([...answeringNames, 'jobs', 'exports'].length);
  });

  it('has at most 50 metrics, up to which one is free', () => {
    const body = (dashboard['DashboardBody'] as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1]
      .map((part) => (typeof part === 'string' ? part : 'x'))
      .join('');
    const { widgets } = JSON.parse(body) as {
      widgets: { properties: { metrics?: unknown[] } }[];
    };
    const metrics = widgets.flatMap(({ properties }) => properties.metrics ?? []);
    expect(metrics).toHaveLength(23);
    expect(metrics.length).toBeLessThanOrEqual(50);
  });
});

describe('a metric', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  it('metrics have the name, the stage and the namespace that the alarms read, also after an earlier invocation', async () => {
    vi.stubEnv('STAGE', 'prod');
    vi.resetModules();
    const { getMetrics } = await import('../../shared/runtime/telemetry.ts');
    const metrics = getMetrics();
    vi.spyOn(console, 'log').mockReturnValue();
    metrics.addMetric('JobsLost', 'Count', 1);
    metrics.publishStoredMetrics();
    const alarm = metricsOf(alarms['jobs-lost'])[0] as {
      Namespace: string;
      Dimensions: { Name: string; Value: string }[];
    };
    const wanted = Object.fromEntries(alarm.Dimensions.map(({ Name, Value }) => [Name, Value]));
    metrics.addMetric('SweepsFinished', 'Count', 1);
    const { _aws: sent, ...fields } = metrics.serializeMetrics();
    expect(sent.CloudWatchMetrics).toEqual([
      {
        Namespace: alarm.Namespace,
        Dimensions: [
          expect.toSatisfy(
            (names: string[]) => names.toSorted().join() === Object.keys(wanted).sort().join(),
          ),
        ],
        Metrics: [{ Name: 'SweepsFinished', Unit: 'Count' }],
      },
    ]);
    expect(fields).toEqual({ ...wanted, SweepsFinished: 1 });
  });
});
