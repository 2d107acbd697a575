import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandError } from '../../../infra/commands/command.ts';
import { recount } from '../../../infra/commands/recount.ts';
import { readTotal } from '../../../shared/counters/total.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';

useTable();

beforeAll(async () => {
  await newUserOf('user');
});

let printed: string;
beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const endpoint = (): string => process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';

const plant = async (amount: number): Promise<void> => {
  await documentClient().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.total('users', 0),
      UpdateExpression: 'ADD #count :amount',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':amount': amount },
    }),
  );
};

const script = join(import.meta.dirname, '../../../infra/commands/recount.ts');
const runScript = (...args: string[]) => promisify(execFile)(process.execPath, [script, ...args]);

describe('npm run recount', () => {
  it('says that nothing differs', async () => {
    await recount(['--endpoint', endpoint()]);
    expect(printed).toBe('All counters are what the records add up to.\n');
  });

  it('tells each difference, ends with exit code 1, and puts it right with --apply', async () => {
    await plant(2);
    await expect(runScript('--endpoint', endpoint())).rejects.toMatchObject({
      code: 1,
      stdout: 'total of users, count: 3 stored, 1 counted\n',
      stderr: 'Put them right with --apply.\n',
    });
    expect(await readTotal('users')).toBe(3);
    expect(await runScript('--endpoint', endpoint(), '--apply')).toMatchObject({
      stdout: 'total of users, count: 3 stored, 1 counted\n1 number put right.\n',
      stderr: '',
    });
    expect(await readTotal('users')).toBe(1);
  }, 60_000);

  it('says of what keeps moving to run it again', async () => {
    await plant(1);
    documentClient().middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          if (commandName === 'ScanCommand') await plant(1);
          return next(args);
        },
      { step: 'initialize', name: 'meanwhile' },
    );
    try {
      await expect(recount(['--endpoint', endpoint(), '--apply'])).rejects.toThrow(
        '1 counter kept moving: run it again when less is going on.',
      );
      expect(printed).toBe('total of users: moved while it was counted\n');
    } finally {
      documentClient().middlewareStack.remove('meanwhile');
    }
    await recount(['--endpoint', endpoint(), '--apply']);
    expect(await readTotal('users')).toBe(1);
  });

  it.each([
    [['--endpoint', 'nowhere'], 'Set --endpoint to the address of DynamoDB'],
    [
      ['--endpoint', 'http://127.0.0.1:1', '--stage', 'dev'],
      'Set --endpoint or --stage, not both.',
    ],
    [['--stage', 'No'], 'Set --stage to a name of at most 20'],
    [['--aply'], "Unknown option '--aply'."],
  ])('refuses %j', async (args, message) => {
    const failed = expect(recount(args)).rejects;
    await failed.toThrow(message);
    await expect(recount(args)).rejects.toBeInstanceOf(CommandError);
  });
});
