import { systemRecorder } from '../../shared/audit/audit-log.ts';
import { transact } from '../../shared/db/transaction.ts';
import { formatDollars } from '../../shared/spending/format-dollars.ts';
import { changeMonth, getMonth } from '../../shared/spending/month.ts';
import { readSpending, type Spending } from '../../shared/spending/spending.ts';
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

const usage = `Usage: npm run spending -- [--lift [--by <dollars>]] [--stage <name>] [--region <region>]
Shows what this month has cost of the spending limit.
  --lift             lifts the limit until the month ends (UTC)
  --by <dollars>     adds an amount to this month's limit instead
${stageUsage}`;

const describe = ({ month, limit, spent, percent, isLifted, isSlowed }: Spending): string => {
  const state = isSlowed
    ? 'Shared pages are slowed down to one request a second.'
    : isLifted
      ? 'The limit is lifted until the month ends (UTC).'
      : 'Nothing is slowed down.';
  return `${formatDollars(spent)} of ${formatDollars(limit)} in ${month} (${percent} %), by list prices. ${state}`;
};

const parseDollars = (by: string): number => {
  const dollars = Number(by);
  if (!(dollars > 0 && dollars <= 1_000_000)) {
    throw new CommandError('Set --by to US dollars, such as 10.');
  }
  return dollars;
};

const lift = async (by: string | undefined): Promise<void> => {
  const month = getMonth();
  const change = by === undefined ? ({ isLifted: true } as const) : { raisedBy: parseDollars(by) };
  const subject = { subject: `spending:${month}`, subjectName: month };
  await transact([
    { write: { Update: changeMonth(month, change) } },
    ...systemRecorder('spending.lift').steps(subject),
  ]);
};

/** Runs `npm run spending -- [--lift [--by <dollars>]] [--stage <name>] [--region <region>]`. */
export const showSpending = async (args: readonly string[]): Promise<void> => {
  const { values } = parseCommand(usage, {
    args,
    options: { ...stageOptions, lift: { type: 'boolean' }, by: { type: 'string' } },
  });
  if (values.by !== undefined && !values.lift) throw new CommandError('--by needs --lift.');
  const stage = chooseStage(values);
  const { TableName, SpendingLimit } = await readOutputs(stage);
  if (SpendingLimit === undefined) {
    throw new CommandError(
      `Stage ${stage} has no spendingLimit. Deploy it with one to have it metered.`,
    );
  }
  process.env['TABLE_NAME'] = TableName;
  process.env['SPENDING_LIMIT'] = SpendingLimit;
  if (values.lift) await lift(values.by);
  const spending = await readSpending();
  if (spending) print(describe(spending));
  if (values.lift) print('What was slowed down is back within a minute.');
};

if (import.meta.main) await run(showSpending);
