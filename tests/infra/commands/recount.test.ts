import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandError } from '../../../infra/commands/command.ts';
import { recount } from '../../../infra/commands/recount.ts';
import { counterKeys } from '../../../shared/counters/keys.ts';
import { readTotal } from '../../../shared/counters/total.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
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

const changeTotal = async (amount: number): Promise<void> => {
  await documentClient().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: counterKeys.total.at({ shard: 0 }),
      UpdateExpression: 'ADD #users :amount',
      ExpressionAttributeNames: { '#users': 'users' },
      ExpressionAttributeValues: { ':amount': amount },
    }),
  );
};

const script = join(import.meta.dirname, '../../../infra/commands/recount.ts');
const runScript = (...args: string[]) => promisify(execFile)(process.execPath, [script, ...args]);

describe('npm run recount', () => {
  it('reports that all counters are correct', async () => {
    await recount(['--endpoint', endpoint()]);
    expect(printed).toBe('All counters are correct.\n');
  });

  it('prints each difference, exits with code 1, and repairs them with --apply', async () => {
    await changeTotal(2);
    await expect(runScript('--endpoint', endpoint())).rejects.toMatchObject({
      code: 1,
      stdout: 'totals, users: 3 stored, 1 counted\n',
      stderr: 'Run with --apply to repair them.\n',
    });
    expect(await readTotal('users')).toBe(3);
    expect(await runScript('--endpoint', endpoint(), '--apply')).toMatchObject({
      stdout: 'totals, users: 3 stored, 1 counted\n1 counter repaired.\n',
      stderr: '',
    });
    expect(await readTotal('users')).toBe(1);
  });

  it('reports counters that change during counting', async () => {
    await changeTotal(1);
    documentClient().middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          if (commandName === 'ScanCommand') await changeTotal(1);
          return next(args);
        },
      { step: 'initialize', name: 'concurrent-write' },
    );
    try {
      await expect(recount(['--endpoint', endpoint(), '--apply'])).rejects.toThrow(
        '1 counter changed during counting. Run again.',
      );
      expect(printed).toBe('totals, users: changed during counting\n');
    } finally {
      documentClient().middlewareStack.remove('concurrent-write');
    }
    await recount(['--endpoint', endpoint(), '--apply']);
    expect(await readTotal('users')).toBe(1);
  });

  it.each([
    [['--endpoint', 'nowhere'], 'Set --endpoint to the DynamoDB address'],
    [
      ['--endpoint', 'http://127.0.0.1:1', '--stage', 'dev'],
      'Set --endpoint or --stage, not both.',
    ],
    [['--stage', 'No'], 'Set --stage to a name of at most 20'],
    [['--aply'], "Unknown option '--aply'."],
  ])('rejects %j', async (args, message) => {
    const failed = expect(recount(args)).rejects;
    await failed.toThrow(message);
    await expect(recount(args)).rejects.toBeInstanceOf(CommandError);
  });
});
