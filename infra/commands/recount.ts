import { type Difference, recount as recountAll } from '../../functions/jobs/recount/recount.ts';
import { readAccessKey, signWith } from '../local/data/access-key.ts';
import {
  CommandError,
  chooseStage,
  parseCommand,
  print,
  run,
  stageOptions,
  stageUsage,
} from './command.ts';
import { readOutputs } from './stage-outputs.ts';

/** Uses the table of `npm start`, with the key of its data folder or of the environment. */
const useEndpoint = async (endpoint: string): Promise<void> => {
  if (!URL.canParse(endpoint)) {
    throw new CommandError('Set --endpoint to the DynamoDB address that `npm start` prints.');
  }
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = endpoint;
  process.env['AWS_REGION'] ||= 'us-east-1';
  const key = await readAccessKey(process.env['DATA_DIR'] || '.handbill');
  if (key) signWith(key);
  else if (!process.env['AWS_ACCESS_KEY_ID'] && !process.env['AWS_PROFILE']) {
    throw new CommandError(
      'Set DATA_DIR to the data folder of the service, which contains its key.',
    );
  }
  process.env['TABLE_NAME'] ||= 'handbill';
};

const useTable = async (values: {
  stage?: string;
  region?: string;
  endpoint?: string;
}): Promise<void> => {
  const { stage, endpoint } = values;
  if (endpoint !== undefined && stage !== undefined) {
    throw new CommandError('Set --endpoint or --stage, not both.');
  }
  if (endpoint !== undefined) {
    await useEndpoint(endpoint);
    return;
  }
  process.env['TABLE_NAME'] = (await readOutputs(chooseStage(values))).TableName;
};

const formatCount = (count: number): string => `${count} ${count === 1 ? 'counter' : 'counters'}`;

const formatDifference = ({ name, attribute, stored, actual }: Difference): string =>
  `${name}, ${attribute}: ${stored} stored, ${actual} counted`;

/** Shows the progress at a terminal. */
const showProgress = (pass: number, items: number): void => {
  if (process.stderr.isTTY) process.stderr.write(`\rReading (${pass}): ${items} items \r`);
};

const usage = `Usage: npm run recount -- [--apply] [--endpoint <address> | --stage <name> [--region <region>]]
Recounts every total from the records, and prints each difference.
  --apply            repairs them, also while the service runs
  --endpoint <address>  the DynamoDB address that \`npm start\` prints, instead of a stage
${stageUsage}`;

/**
 * Runs `npm run recount -- [--apply] [--endpoint <address> | --stage <name> [--region <region>]]`: recounts every total
 * from the records and prints each difference. `--apply` repairs them, also while the service runs.
 */
export const recount = async (args: readonly string[]): Promise<void> => {
  const { values } = parseCommand(usage, {
    args,
    options: { ...stageOptions, endpoint: { type: 'string' }, apply: { type: 'boolean' } },
  });
  await useTable(values);
  const { differences, unstable, repaired } = await recountAll({
    apply: values.apply === true,
    onPage: showProgress,
  });
  for (const difference of differences) print(formatDifference(difference));
  for (const name of unstable) print(`${name}: changed during counting`);
  if (differences.length + unstable.length === 0) {
    print('All counters are correct.');
    return;
  }
  if (repaired.length > 0) print(`${formatCount(repaired.length)} repaired.`);
  if (unstable.length > 0) {
    throw new CommandError(`${formatCount(unstable.length)} changed during counting. Run again.`);
  }
  if (!values.apply) throw new CommandError('Run with --apply to repair them.');
};

if (import.meta.main) await run(recount);
