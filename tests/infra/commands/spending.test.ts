import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandError } from '../../../infra/commands/command.ts';
import { showSpending } from '../../../infra/commands/spending.ts';
import { outputNames } from '../../../infra/stack/stack-name.ts';
import { writeMonth } from '../../../shared/spending/month.ts';
import { idleMonthNanos } from '../../../shared/spending/price-list.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { useTable } from '../../support/table/table.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();

const cloudFormation = mockClient(CloudFormationClient);

const deployed = (limit?: string): void => {
  const outputs = {
    ...Object.fromEntries(outputNames.map((name) => [name, 'x'])),
    TableName: process.env['TABLE_NAME'],
    ...(limit !== undefined && { SpendingLimit: limit }),
  };
  cloudFormation.on(DescribeStacksCommand).resolves({
    Stacks: [
      {
        StackName: 'Handbill-prod',
        CreationTime: new Date(),
        StackStatus: 'CREATE_COMPLETE',
        Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({
          OutputKey,
          ...(OutputValue !== undefined && { OutputValue }),
        })),
      },
    ],
  });
};

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.stubEnv('SPENDING_LIMIT', undefined);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('npm run spending', () => {
  it('shows what the month has cost, and lifts the limit by an amount or until it ends', async () => {
    deployed('20');
    await writeMonth('2026-11', { nanos: 21e9 - idleMonthNanos });
    await showSpending([]);
    await showSpending(['--lift', '--by', '10']);
    await showSpending(['--lift']);
    expect(printed).toEqual([
      '$21.00 of $20.00 in 2026-11 (105 %), by list prices. Shared pages are slowed down to one request a second.\n',
      '$21.00 of $30.00 in 2026-11 (70 %), by list prices. Nothing is slowed down.\n',
      'What was slowed down is back within a minute.\n',
      '$21.00 of $30.00 in 2026-11 (70 %), by list prices. The limit is lifted until the month ends (UTC).\n',
      'What was slowed down is back within a minute.\n',
    ]);
    expect(await entriesAbout('spending:2026-11')).toMatchObject([
      { action: 'spending.lift' },
      { action: 'spending.lift' },
    ]);
  });

  it.each([
    [['--lift', '--by', 'much'], '20', 'Set --by to US dollars, such as 10.'],
    [['--by', '5'], '20', '--by needs --lift.'],
    [[], undefined, 'Stage prod has no spendingLimit. Deploy it with one to have it metered.'],
  ])('refuses %j of a limit of %s', async (args, limit, message) => {
    deployed(limit);
    await expect(showSpending(args)).rejects.toThrow(new CommandError(message));
  });
});
