import { afterEach, expect, it, vi } from 'vitest';
import { resources } from '../support/infra/stack-template.ts';

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
  const alarm = resources('AWS::CloudWatch::Alarm').find(
    ([, { MetricName }]) => MetricName === 'SweepsFinished',
  )?.[1] as { Namespace: string; Dimensions: { Name: string; Value: string }[] };
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
