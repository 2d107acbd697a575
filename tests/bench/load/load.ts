import { parseArgs } from 'node:util';
import { machine } from '../support/machine.ts';
import { textTable } from '../support/text-table.ts';
import { measure } from './measure.ts';
import { scenarios } from './scenarios.ts';
import { type LoadedServer, startServer } from './server.ts';
import { prepareSite } from './site.ts';
import { runSteadily } from './steady.ts';

const usage = `npm run load -- [--seconds 30] [--only ${scenarios.map(({ name }) => name).join('|')}]
npm run load -- --mixed 10m [--rate 20]
`;

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

const wholeNumber = (text: string, name: string): number => {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new Error(`--${name} wants a whole number from 1`);
};

const secondsIn = (span: string): number => {
  const [, count, unit = ''] = span.match(/^(\d{1,4})([smh])$/) ?? [];
  if (Number(count) > 0) return Number(count) * (unitSeconds[unit] ?? 1);
  throw new Error('--mixed wants a span such as 90s, 10m or 2h');
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
  if (unknown !== undefined) throw new Error(`--only wants one of ${names.join(', ')}`);
  return {
    seconds: wholeNumber(values.seconds, 'seconds'),
    only: values.only.length > 0 ? values.only : names,
    mixedSeconds: values.mixed === undefined ? undefined : secondsIn(values.mixed),
    rate: wholeNumber(values.rate, 'rate'),
    help: values.help,
  };
};

type Options = ReturnType<typeof readOptions>;

const head = ['requests', 'connections', 'a second', 'p50 ms', 'p99 ms', 'CPU ms each', 'errors'];

const explanation = `
The service (the local run: one process), its DynamoDB, S3 and queue (in that process) and the client share this machine's
cores: the figures compare versions with each other and say nothing of AWS. CPU is the user and system time of the
service's process with its engines, all threads, for one answered request. Passwords are hashed at the default cost.
`;

const complain = (name: string, { complaints }: LoadedServer): void => {
  for (const line of complaints()) process.stderr.write(`${name}: the service logged ${line}\n`);
};

const measureAll = async ({ seconds, only }: Options): Promise<boolean> => {
  const rows: string[][] = [];
  let isRight = true;
  for (const scenario of scenarios.filter(({ name }) => only.includes(name))) {
    // Each has a service of its own: none finds what the one before has left.
    const server = await startServer();
    try {
      const result = await measure(server, await prepareSite(server), scenario, seconds);
      complain(scenario.name, server);
      isRight &&= result.errors === 0 && result.answered > 0;
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
  return isRight;
};

const runMixed = async (seconds: number, rate: number): Promise<boolean> => {
  const server = await startServer();
  try {
    const { errors, isGrowing } = await runSteadily(server, await prepareSite(server), {
      seconds,
      rate,
    });
    complain('mixed', server);
    return errors === 0 && !isGrowing;
  } finally {
    await server.stop();
  }
};

/** Runs what the options ask for; answers whether all requests had an answer of success, and memory is flat. */
const run = async (options: Options): Promise<boolean> => {
  if (options.help) {
    process.stdout.write(usage);
    return true;
  }
  const { mixedSeconds, rate } = options;
  const isRight =
    mixedSeconds === undefined ? await measureAll(options) : await runMixed(mixedSeconds, rate);
  process.stdout.write(`${explanation}${machine()}.\n`);
  return isRight;
};

try {
  if (!(await run(readOptions()))) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}`);
  process.exitCode = 1;
}
