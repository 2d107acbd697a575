import { parseArgs } from 'node:util';
import { machine } from '../bench/support/machine.ts';
import { textTable } from '../support/text-table.ts';
import { measure } from './measure.ts';
import { scenarios } from './scenarios.ts';
import { type LoadedServer, startServer } from './server.ts';
import { prepareSite } from './site.ts';
import { runSteadily } from './steady.ts';

const usage = `Usage: npm run load -- [--seconds 30] [--only ${scenarios.map(({ name }) => name).join('|')}]
       npm run load -- --mixed 10m [--rate 20]
`;

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

const parseInteger = (text: string, name: string): number => {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new Error(`Set --${name} to an integer from 1.`);
};

const parseDuration = (text: string): number => {
  const [, count, unit = ''] = text.match(/^(\d{1,4})([smh])$/) ?? [];
  if (Number(count) > 0) return Number(count) * (unitSeconds[unit] ?? 1);
  throw new Error('Set --mixed to a duration such as 90s, 10m or 2h.');
};

const readOptions = () => {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '30' },
      only: { type: 'string', multiple: true, default: [] },
      mixed: { type: 'string' },
      rate: { type: 'string', default: '20' },
      help: { type: 'boolean', default: false },
    },
  });
  const names = scenarios.map(({ name }) => name);
  const unknown = values.only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`Set --only to one of ${names.join(', ')}.`);
  return {
    seconds: parseInteger(values.seconds, 'seconds'),
    only: values.only.length > 0 ? values.only : names,
    mixedSeconds: values.mixed === undefined ? undefined : parseDuration(values.mixed),
    rate: parseInteger(values.rate, 'rate'),
    help: values.help,
  };
};

type Options = ReturnType<typeof readOptions>;

const head = [
  'scenario',
  'connections',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'CPU ms/request',
  'errors',
];

const explanation = `
The local service with its engines (one process) and the client share this machine's cores. Compare the figures only with
those of other versions, not with AWS. CPU is the user and system time of the service's process for each response.
Passwords are hashed with the default cost.
`;

const printLoggedErrors = (name: string, { complaints }: LoadedServer): void => {
  for (const line of complaints()) process.stderr.write(`${name}: the service logged ${line}\n`);
};

const measureAll = async ({ seconds, only }: Options): Promise<boolean> => {
  const rows: string[][] = [];
  let hasPassed = true;
  for (const scenario of scenarios.filter(({ name }) => only.includes(name))) {
    // Each scenario gets a new service, so that results don't depend on earlier data.
    const server = await startServer();
    try {
      const result = await measure(server, await prepareSite(server), scenario, seconds);
      printLoggedErrors(scenario.name, server);
      hasPassed &&= result.errors === 0 && result.answered > 0;
      rows.push([
        scenario.name,
        String(scenario.connections),
        result.requestsPerSecond.toFixed(1),
        String(result.p50Ms),
        String(result.p99Ms),
        result.cpuMs.toFixed(2),
        String(result.errors),
      ]);
    } finally {
      await server.stop();
    }
  }
  process.stdout.write(textTable(head, rows));
  return hasPassed;
};

const runMixed = async (seconds: number, rate: number): Promise<boolean> => {
  const server = await startServer();
  try {
    const { errors, isGrowing } = await runSteadily(server, await prepareSite(server), {
      seconds,
      rate,
    });
    printLoggedErrors('mixed', server);
    return errors === 0 && !isGrowing;
  } finally {
    await server.stop();
  }
};

/** Runs the scenarios. Returns whether all responses were successful, and memory did not grow. */
const run = async (options: Options): Promise<boolean> => {
  if (options.help) {
    process.stdout.write(usage);
    return true;
  }
  const { mixedSeconds, rate } = options;
  const hasPassed =
    mixedSeconds === undefined ? await measureAll(options) : await runMixed(mixedSeconds, rate);
  process.stdout.write(`${explanation}${machine()}.\n`);
  return hasPassed;
};

try {
  if (!(await run(readOptions()))) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}`);
  process.exitCode = 1;
}
