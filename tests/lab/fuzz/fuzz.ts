import { CommandError, parseCommand, run } from '../../../infra/commands/command.ts';
import { type Finding, type FuzzReport, fuzz } from './run.ts';

const usage = `Usage: npm run fuzz -- [--requests 10000] [--seed N] [--route 'GET /api/users'] [--group users]`;

// A run replaces process.stdout.write to capture the service's logs.
const write = process.stdout.write.bind(process.stdout);
const print = (line: string): void => void write(`${line}\n`);

/** Lists the endpoints that returned only errors, so that their success is untested. */
const listWithoutSuccess = ({ statuses }: FuzzReport): string[] =>
  [...statuses]
    .filter(([, counts]) => ![...counts.keys()].some((one) => one < 400))
    .map(([endpoint]) => endpoint);

const describe = (report: FuzzReport, seed: number): string => {
  const { requests, seconds, findings, statuses } = report;
  const withoutSuccess = listWithoutSuccess(report);
  return [
    ...[...statuses]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([endpoint, counts]) => {
        const all = [...counts].toSorted(([a], [b]) => a - b);
        return `  ${endpoint}: ${all.map(([status, count]) => `${status} × ${count}`).join(', ')}`;
      }),
    ...(withoutSuccess.length > 0 ? [`Without success: ${withoutSuccess.join(', ')}`] : []),
    `${requests} requests in ${seconds.toFixed(1)} s (${Math.round(requests / seconds)}/s), seed ${seed}`,
    ...findings.map(
      ({ endpoint, property, what, curl, path }) =>
        `\n${endpoint}: ${property}\n  ${what}\n  ${curl}\n  seed/path ${path}`,
    ),
    findings.length === 0 ? 'No findings' : `\nFindings: ${findings.length}`,
  ].join('\n');
};

const main = async (args: readonly string[]): Promise<void> => {
  const { values } = parseCommand(usage, {
    args,
    options: {
      requests: { type: 'string', default: '10000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      route: { type: 'string' },
      group: { type: 'string' },
    },
  });
  const [requests, seed] = [Number(values.requests), Number(values.seed)];
  if (!Number.isSafeInteger(requests) || !Number.isSafeInteger(seed)) throw new CommandError(usage);
  const { route, group } = values;
  const started = performance.now();
  print(`Seed ${seed}`);
  const onProgress = (done: number, findings: readonly Finding[]) => {
    const perSecond = Math.round((done / (performance.now() - started)) * 1_000);
    print(
      `${done} of ${requests} requests, ${perSecond}/s, findings: ${findings.length}${findings.length > 0 ? `, last ${findings.at(-1)?.curl}` : ''}`,
    );
  };
  const report = await fuzz({ requests, seed, route, group, onProgress });
  print(describe(report, seed));
  if (report.findings.length > 0) process.exitCode = 1;
};

await run(main);
