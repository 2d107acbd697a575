import costs from './costs.json' with { type: 'json' };

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;
const range = ([least = 0, most = 0]: readonly number[]): string =>
  `${dollars(least)} to ${dollars(most)}`;

const { idle, views, calls, edge } = costs;
const [byApi, limited, open] = [
  views['with a limit, by the API'],
  views['with a limit, by its page'],
  views['without one, by its page'],
];
const [bare, watched, withMail] = idle.stages as [Stage, Stage, Stage];
type Stage = (typeof idle.stages)[number];

/** Billions of dollars are never metered, but thousands are told. */
const thousands = (amount: number): string =>
  `$${Math.round(amount / 1_000).toLocaleString('en')},000`;

/** Returns what the README says of costs. */
export const formatCostSummary = (): string =>
  [
    `**What it costs** (us-east-1 list prices, \`npm run cost\`): a month without traffic in an account with nothing else in it is ${dollars(bare.inEmptyAccount)}, with \`alarmEmail\` ${dollars(watched.inEmptyAccount)}, and with \`MAIL_FROM\`, too, ${dollars(withMail.inEmptyAccount)}: three dashboards, ten alarms and a million receives of queues are free, of each account. Where those are used up it is ${dollars(bare.listed)}, ${dollars(watched.listed)} and ${dollars(withMail.listed)}.`,
    `A million views of a 10 KB share with a limit are ${range(byApi.withJobs)} through the API and ${range(limited.withJobs)} as pages; a million people who see such a page for the first time, with its ${limited.firstReader.assets} assets and transfer, are ${dollars(limited.firstReader.dollars)}, and ${dollars(open.firstReader.dollars)} without a limit.`,
    `A page in view asks for updates every 30 seconds: $${((120 * 1_000 * calls.updates) / 1e6).toFixed(2)} per 1,000 hours of a user. [More prices](infra/README.md#costs).`,
  ].join(' ');

const idleRow = ({ name, queues, alarms, listed, inEmptyAccount }: Stage): string =>
  `| ${name} | ${queues} | ${alarms} | ${dollars(inEmptyAccount)} | ${dollars(listed)} |`;

/** Returns what the README of the infrastructure says of costs. */
export const formatCosts = (): string =>
  [
    `| An idle month | Queues polled | Alarms | In an empty account | All at list price |`,
    '|---|---|---|---|---|',
    ...idle.stages.map(idleRow),
    '',
    `Of it are the secret ${dollars(idle.secret)}, polling ${dollars(idle.poll)} for each queue, ${2 * idle.readUnitsAMinute} queries a minute of the scheduled run $${((idle.readUnitsAMinute * 43_200 * 0.125) / 1e6).toFixed(2)}, each alarm ${dollars(idle.alarmMetric)}, and the dashboard of ${bare.dashboardMetrics} metrics ${dollars(idle.dashboard)}; the permanent free amounts of an account cover the dashboard, ten alarms, a million receives, and invocations and logs of this size.`,
    '',
    '| A million | Requests | With their jobs | Transfer |',
    '|---|---|---|---|',
    ...Object.entries(views).map(
      ([name, view]) =>
        `| views of a 10 KB share ${name} | ${dollars(view.requests)} | ${range(view.withJobs)} | ${dollars(view.transfer)} |`,
    ),
    `| readers who see a page with a limit first, ${limited.firstReader.requests} requests | ${dollars(limited.firstReader.dollars)} | | included |`,
    `| readers who see a page without one first, ${open.firstReader.requests} requests | ${dollars(open.firstReader.dollars)} | | included |`,
    `| calls of \`POST /api/share\` | | ${dollars(calls.share)} | |`,
    `| messages to one recipient, to ten | | ${dollars(calls.message)}, ${dollars(calls.messageToTen)} | |`,
    `| sign-ins | | ${dollars(calls.signIn)} | |`,
    `| requests for updates, of which a page in view sends 120 an hour | | ${dollars(calls.updates)} | |`,
    `| requests for the state of an open shared page, of which it sends 240 an hour in view | ${dollars(calls.live)} | | |`,
  ].join('\n');

/** Returns what that README says of costs at internet scale. */
export const formatScaleCosts = (): string => {
  const billions = (10_000 * 30 * 86_400) / 1e9;
  return `**Costs a month.** 10,000 views a second by the API, all month, are ${Math.round(billions)} billion: ${thousands(billions * 1_000 * byApi.requests)} at ${dollars(byApi.requests)} a million, and up to ${thousands(billions * 1_000 * ((byApi.withJobs[1] ?? 0) - byApi.requests))} for their jobs, if each is by another visitor.`;
};

/** Returns what that README says of the CDN's costs. */
export const formatEdgeCosts = (): string =>
  `**Costs.** A million views of a 10 KB HTML share that many read: CloudFront's requests ${dollars(edge.requests)}, counting at most ${dollars(edge.count)} (less where one view follows another within 2 seconds), transfer ${dollars(edge.transfer)}; without it ${dollars(edge.without)} and transfer. Of a month, CloudFront's first 10 million requests, 2 million function calls and 1 TB are free. An open page of a share that many read asks CloudFront 240 times an hour: $${((240 * 1_000 * edge.live) / 1e6).toFixed(2)} per 1,000 hours of a reader, transfer included; without it $${((240 * 1_000 * calls.live) / 1e6).toFixed(2)}. A web ACL is $5 a month, $1 for each rule and $0.60 per million requests.`;

/** Returns what the README of the benchmarks says of costs. */
export const formatBenchCosts = (): string =>
  `\`npm run cost\` on ${costs.measuredOn}: a million views of 10 KB with a limit are ${dollars(byApi.requests)} by the API (goal $3.40) and ${dollars(limited.requests)} by its page (goal $9), with their jobs ${range(byApi.withJobs)} and ${range(limited.withJobs)}: what each visitor looks at once, and in small batches, costs more. An idle month in an empty account is ${idle.stages.map(({ name, inEmptyAccount }) => `${dollars(inEmptyAccount)} ${name}`).join(', ')} (goal $2). A million first readers of that page are ${dollars(limited.firstReader.dollars)}, of one without a limit ${dollars(open.firstReader.dollars)} (goal $15).`;

/** The sections about costs, by README and name. */
export const costSections: readonly (readonly [
  readme: string,
  name: string,
  format: () => string,
])[] = [
  ['README.md', 'costs', formatCostSummary],
  ['infra/README.md', 'costs', formatCosts],
  ['infra/README.md', 'costs at scale', formatScaleCosts],
  ['infra/README.md', 'costs of the edge', formatEdgeCosts],
  ['tests/lab/bench/README.md', 'costs', formatBenchCosts],
];
