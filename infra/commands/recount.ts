import { type Difference, recount as recountAll } from '../../functions/jobs/recount/recount.ts';
import { readAccessKey, signWith } from '../local/host/access-key.ts';
import { CommandError, chooseStage, parseCommand, print, run, stageOptions } from './command.ts';
import { readOutputs } from './stage-outputs.ts';

/** The table of `npm start`, with the key of its data folder, or else with the environment's. */
const useEndpoint = async (endpoint: string): Promise<void> => {
  if (!URL.canParse(endpoint)) {
    throw new CommandError('Set --endpoint to the address of DynamoDB that `npm start` prints.');
  }
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = endpoint;
  process.env['AWS_REGION'] ||= 'us-east-1';
  const key = await readAccessKey(process.env['DATA_DIR'] || '.handbill');
  if (key) signWith(key);
  else if (!process.env['AWS_ACCESS_KEY_ID'] && !process.env['AWS_PROFILE']) {
    throw new CommandError('Set DATA_DIR to the data folder of the service, which has its key.');
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

const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const inWords = ({ name, attribute, stored, really }: Difference): string =>
  `${name}, ${attribute}: ${stored} stored, ${really} counted`;

/** At a terminal, how far it is. */
const showProgress = (pass: number, items: number): void => {
  if (process.stderr.isTTY) process.stderr.write(`\rReading (${pass}): ${items} items \r`);
};

/**
 * `npm run recount -- [--apply] [--endpoint <address> | --stage <name> [--region <region>]]`: counts every total anew from
 * the records, tells each that differs, and with `--apply` puts it right; while the service runs, too.
 */
export const recount = async (args: readonly string[]): Promise<void> => {
  const { values } = parseCommand({
    args,
    options: { ...stageOptions, endpoint: { type: 'string' }, apply: { type: 'boolean' } },
  });
  await useTable(values);
  const { differences, restless, mended } = await recountAll({
    apply: values.apply === true,
    onPage: showProgress,
  });
  for (const difference of differences) print(inWords(difference));
  for (const name of restless) print(`${name}: moved while it was counted`);
  if (differences.length + restless.length === 0) {
    print('All counters are what the records add up to.');
    return;
  }
  if (mended.length > 0) print(`${counted(mended.length, 'number', 'numbers')} put right.`);
  if (restless.length > 0) {
    throw new CommandError(
      `${counted(restless.length, 'counter', 'counters')} kept moving: run it again when less is going on.`,
    );
  }
  if (!values.apply) throw new CommandError('Put them right with --apply.');
};

if (import.meta.main) await run(recount);
