import { writeSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parseSetting } from '../../../shared/runtime/settings.ts';
import { synthesize } from '../../support/infra/stack-template.ts';
import { found } from '../../support/pins/pins.ts';
import { pass } from '../../support/run/virtual-time.ts';
import { allTypicalCalls, getSampleStatus } from '../../support/service/all-sample-requests.ts';
import { runMinute } from '../../support/service/jobs.ts';
import { words } from '../../support/shares/contents.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { view } from '../../support/shares/shares.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { deployment } from '../lambda/deployment.ts';
import { endpointOf, groupOf, routeOf } from '../lambda/sample-requests.ts';
import { useDeployment } from '../lambda/use-deployment.ts';
import { textTable } from '../support/text-table.ts';
import { pollsPerMonth, secretReadsPerMonth } from './assumptions.ts';
import {
  costOf,
  costOfBatch,
  costOfInit,
  costOfRequest,
  costOfTransfer,
  partsOfRequest,
} from './cost.ts';
import { idleMonth, readIdleResources } from './idle.ts';
import {
  type Batch,
  leastOf,
  type Measured,
  measureCall,
  measureWork,
  type Work,
} from './measure.ts';
import { batchSizes, limitedPageView, measureView, type PageView, pageView } from './page-view.ts';
import { prices } from './prices.ts';
import { recordFigures, recordPrices } from './record.ts';

useDeployment();

const tables: string[] = [];
// Bypasses the capture of logs, so that the tables are printed.
afterAll(() => writeSync(1, `\n${tables.join('\n')}\n`) as never);

const calls = Object.entries(await allTypicalCalls());
const hourMs = 60 * 60_000;
const rounds = 2;
/** Synthesizing two more stacks takes longer than a test does otherwise. */
const synthesisMs = 60_000;

const perMillion = (dollars: number): string => (1e6 * dollars).toFixed(2);
const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

const measureTimes = async (
  prepare: () => Promise<() => ReturnType<typeof view>>,
  name: string,
) => {
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    pass(hourMs);
    const measured = await measureCall(await prepare());
    const expected = getSampleStatus(name, routeOf(name) ?? expect.unreachable());
    expect(measured.answer.status, name).toBe(expected);
    all.push(measured);
  }
  return leastOf(all);
};

const head = ['a million calls of', 'CPU ms', 'billed ms', 'RU', 'WU', 'S3', 'SQS', '$', '$ out'];

const toRow = (name: string, measured: Measured): string[] => {
  const { request, jobs } = measured;
  const all = [request, ...jobs];
  return [
    name,
    request.cpuMs.toFixed(1),
    String(request.billedMs),
    ...(['readUnits', 'writeUnits'] as const).map((units) =>
      String(sum(all.map((one) => one[units]))),
    ),
    String(sum(all.map(({ putObjects, getObjects }) => putObjects + getObjects))),
    String(sum(all.map(({ queueRequests }) => queueRequests))),
    perMillion(costOf(measured)),
    perMillion(costOfTransfer(measured)),
  ];
};

/** Groups whose functions hash passwords with bcrypt. */
const withPasswords = ['auth', 'users'];

/** Hashes passwords with the default cost from here on. Earlier sign-ins use a low cost. */
const hashAsDeployed = async (): Promise<void> => {
  const PASSWORD_COST = String(parseSetting('PASSWORD_COST', undefined));
  vi.stubEnv('PASSWORD_COST', PASSWORD_COST);
  for (const name of withPasswords) {
    await deployment().processes.get(name)?.restart({ set: { PASSWORD_COST } });
  }
};

/** The names of the metrics that the service writes. */
const metrics = [...new Set(found(/addMetric\(\s*'(\w+)'/g))];

const parts = ['gateway', 'functions', 'table', 'others', 'logs'] as const;

const viewHead = [
  'a million views of 10 KB',
  'requests',
  ...parts,
  'in all',
  'out',
  'assets',
  'out',
];

/** Formats dollars per million: first requests of every view, then requests that a browser caches. */
const viewRow = ({ own, assets }: PageView): string[] => [
  String(own.length),
  ...[
    ...parts.map((part) => sum(own.map((one) => partsOfRequest(one)[part]))),
    sum(own.map(costOfRequest)),
    sum(own.map(costOfTransfer)),
    sum(assets.map(costOf)),
    sum(assets.map(costOfTransfer)),
  ].map(perMillion),
];

const batchHead = [
  'the jobs of a million views',
  'messages a view',
  'RU',
  'WU',
  'CPU ms',
  '$',
  'with the requests',
];

/** Returns the cost of a view with its part of a batch of jobs. */
const costWith = ({ own }: PageView, batch: Batch, size: number): number =>
  sum(own.map(costOfRequest)) + costOfBatch(batch) / size;

const batchRows = (name: string, view: PageView): string[][] =>
  (['byOne', 'byMany'] as const).flatMap((viewers) =>
    batchSizes.map((size, at) => {
      const batch = view.batches[viewers][at] as Batch;
      const { readUnits, writeUnits, cpuMs } = batch.work;
      return [
        `${name}, ${size} at once ${viewers === 'byOne' ? 'by one visitor' : 'by a visitor each'}`,
        ...[batch.messages, readUnits, writeUnits, cpuMs].map((one) => (one / size).toFixed(2)),
        perMillion(costOfBatch(batch) / size),
        perMillion(costWith(view, batch, size)),
      ];
    }),
  );

/** Rounds an amount of dollars for a million, because CPU time is never twice the same. */
const round = (dollars: number): number => Number(dollars.toFixed(2));

const dollarsOf = (measured: ReadonlyMap<string, number>, name: string): number =>
  round(1e6 * (measured.get(name) ?? expect.unreachable(name)));

/**
 * Returns the price of each endpoint, with its jobs and without transfer, in billionths of a dollar: of its typical call, or
 * of the dearest if all are special.
 */
const priceByEndpoint = (measured: ReadonlyMap<string, number>): Record<string, number> => {
  const all: Record<string, number> = {};
  for (const [name, dollars] of measured) {
    const endpoint = endpointOf(name);
    if (name !== endpoint && measured.has(endpoint)) continue;
    all[endpoint] = Math.max(all[endpoint] ?? 0, Math.ceil(1e9 * dollars));
  }
  // Of a request that matches no endpoint: like assets, it reads nothing.
  all['$default'] = Math.max(
    ...Object.entries(all).flatMap(([name, nanos]) => (name.includes('/assets/') ? nanos : [])),
  );
  return all;
};

/** Returns the dollars of a million views: of the requests, with their jobs, and of readers who see such a page first. */
const figuresOf = (view: PageView) => {
  const { own, assets, batches } = view;
  const withJobs = Object.values(batches).flatMap((all) =>
    all.map((batch, at) => 1e6 * costWith(view, batch, batchSizes[at] ?? 1)),
  );
  const first = [...own, ...assets];
  return {
    requests: round(1e6 * sum(own.map(costOfRequest))),
    transfer: round(1e6 * sum(own.map(costOfTransfer))),
    withJobs: [Math.min(...withJobs), Math.max(...withJobs)].map(round),
    firstReader: {
      requests: first.length,
      assets: assets.length,
      dollars: round(1e6 * sum(first.map((one) => costOfRequest(one) + costOfTransfer(one)))),
    },
  };
};

/** The stages whose idle month is told. */
const stages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'without alarms': {},
  'with alarmEmail': { alarmEmail: 'ops@example.com' },
  'with alarmEmail and email': {
    alarmEmail: 'ops@example.com',
    MAIL_FROM: 'service@example.com',
  },
};

/** Goals for the requests of a million views, in dollars. What follows from them is not included. */
const goals: Readonly<Record<string, number>> = {
  'with a limit, by the API': 3.4,
  'with a limit, by its page': 9,
};

// Only reported, because CPU time depends on other work of the machine.
const verdicts = (views: Readonly<Record<string, PageView>>): string =>
  Object.entries(goals)
    .map(([name, most]) => {
      const view = views[name] as PageView;
      const cost = 1e6 * sum(view.own.map(costOfRequest));
      const all = Object.values(view.batches).flatMap((batches) =>
        batches.map((batch, at) => 1e6 * costWith(view, batch, batchSizes[at] ?? 1)),
      );
      const [least, greatest] = [Math.min(...all), Math.max(...all)].map((one) => one.toFixed(2));
      return `${name}: at most $${most} is ${cost <= most ? 'met' : 'missed'} ($${cost.toFixed(2)}); with the jobs $${least} to $${greatest}\n`;
    })
    .join('');

describe('the cost', () => {
  it('includes the two lines that Lambda logs of each invocation, but of assets', () => {
    const functions = Object.values(deployment().resources).filter(
      ({ Type }) => Type === 'AWS::Lambda::Function',
    );
    for (const { Properties } of functions) {
      expect(Properties['LoggingConfig']).toMatchObject({
        LogFormat: 'JSON',
        SystemLogLevel: Properties['Description'] === 'Handbill: assets' ? 'WARN' : 'INFO',
      });
    }
    expect(functions.length).toBeGreaterThan(20);
  });

  it('is reported for a million calls of every route', async () => {
    const rows: string[][] = [];
    const measured = new Map<string, number>();
    const measure = async ([name, prepare]: (typeof calls)[number]) => {
      const times = await measureTimes(prepare, name);
      measured.set(name, costOf(times));
      rows.push(toRow(name, times));
    };
    const isOfPasswords = ([name]: (typeof calls)[number]) =>
      withPasswords.includes(groupOf(routeOf(name)) ?? '');
    for (const call of calls.filter((one) => !isOfPasswords(one))) await measure(call);
    await hashAsDeployed();
    for (const call of calls.filter(isOfPasswords)) await measure(call);
    expect(rows.length).toBeGreaterThan(70);
    tables.push(textTable(head, rows));
    recordFigures('calls', {
      share: dollarsOf(measured, 'POST /api/share'),
      message: dollarsOf(measured, 'POST /api/messages'),
      messageToTen: dollarsOf(measured, 'POST /api/messages (to ten)'),
      signIn: dollarsOf(measured, 'POST /api/auth/login (from a new network)'),
      updates: dollarsOf(measured, 'GET /api/notifications/updates'),
      live: dollarsOf(measured, 'GET /s/{id}/live'),
    });
    recordPrices({ endpoints: priceByEndpoint(measured) });
  });

  it('is reported for what no request pays: cold starts, reads of the secret, metrics', () => {
    const { processes, functions } = deployment();
    const rows = [...processes].map(([name, each]) => {
      const { memoryMb = 0 } = functions.find((one) => one.name === name) ?? {};
      const { initCpuMs } = each.taken();
      const { billedMs, cost } = costOfInit(initCpuMs, memoryMb);
      return [name, String(memoryMb), initCpuMs.toFixed(0), String(billedMs), perMillion(cost)];
    });
    expect(rows.length).toBeGreaterThan(20);
    tables.push(
      textTable(['a million cold starts of', 'MB', 'CPU ms', 'billed ms', '$'], rows),
      textTable(
        ['a month of', 'a month', '$'],
        [
          [
            'reads of the secret, by an instance that is always busy',
            String(secretReadsPerMonth),
            (secretReadsPerMonth * prices.secretRead).toFixed(3),
          ],
          [
            'metrics of the service, all of them written to',
            String(metrics.length),
            (metrics.length * prices.metricMonth).toFixed(2),
          ],
        ],
      ),
    );
  });

  it('is reported for a million views of 10 KB', async () => {
    const ann = sharesOf(await newUserOf('user'));
    const content = words(10 * 1_024);
    const limited = await ann.newShare({ content, viewLimit: 1_000 });
    const open = await ann.newShare({ content });
    const views = {
      'with a limit, by the API': await measureView([() => view(limited)]),
      'with a limit, by its page': await measureView(limitedPageView(limited)),
      'without one, by its page': await measureView(pageView(open)),
    };
    const rows = Object.entries(views).map(([name, one]) => [name, ...viewRow(one)]);
    const jobs = Object.entries(views).flatMap(([name, one]) => batchRows(name, one));
    tables.push(textTable(viewHead, rows), textTable(batchHead, jobs), verdicts(views));
    const today = new Date(performance.timeOrigin).toISOString().slice(0, 10);
    recordFigures('measuredOn', today);
    recordFigures(
      'views',
      Object.fromEntries(Object.entries(views).map(([name, one]) => [name, figuresOf(one)])),
    );
    expect(Object.values(views).flatMap(({ own }) => own)).toHaveLength(7);
    const messages = Object.values(views).flatMap(({ batches }) =>
      [...batches.byOne, ...batches.byMany].map((batch) => batch.messages),
    );
    expect(new Set(messages)).toEqual(new Set(batchSizes));
  });

  it(
    'is at most $2 for an idle month in an empty account, everything counted',
    async () => {
      pass(hourMs);
      const minutes: Work[] = [];
      for (let round = 0; round < 10; round++) minutes.push(await measureWork(runMinute));
      const minute = minutes.toSorted((a, b) => a.cpuMs - b.cpuMs)[0] as Work;
      const variants = Object.entries(stages).map(([name, context]) => {
        const resources = readIdleResources(synthesize(context).toJSON()['Resources']);
        const lines = idleMonth(minute, resources);
        return {
          name,
          resources,
          lines,
          listed: sum(lines.map(({ listed }) => listed)),
          inEmptyAccount: sum(lines.map(({ inEmptyAccount }) => inEmptyAccount)),
        };
      });
      for (const { name, lines, listed, inEmptyAccount } of variants) {
        tables.push(
          textTable(
            [`an idle month ${name}`, '$', 'in an empty account'],
            [
              ...lines.map((line) => [
                line.what,
                line.listed.toFixed(2),
                line.inEmptyAccount.toFixed(2),
              ]),
              ['in all', listed.toFixed(2), inEmptyAccount.toFixed(2)],
            ],
          ),
        );
        expect(inEmptyAccount, name).toBeLessThanOrEqual(2);
      }
      const dearest = Math.max(...variants.map(({ inEmptyAccount }) => inEmptyAccount));
      recordPrices({ idleMonth: Math.ceil(1e9 * dearest) });
      recordFigures('idle', {
        readUnitsAMinute: minute.readUnits,
        secret: prices.secretMonth,
        poll: pollsPerMonth * prices.queueRequest,
        alarmMetric: prices.alarmMetricMonth,
        dashboard: prices.dashboardMonth,
        stages: variants.map(({ name, resources, listed, inEmptyAccount }) => ({
          name,
          queues: resources.queues,
          alarms: Object.keys(resources.alarmMetrics).length,
          dashboardMetrics: sum(resources.dashboards),
          listed,
          inEmptyAccount,
        })),
      });
    },
    synthesisMs,
  );
});
