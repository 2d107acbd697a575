import { GetTemplateSummaryCommand } from '@aws-sdk/client-cloudformation';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deploy } from '../../../../infra/commands/deploy.ts';
import { restore } from '../../../../infra/commands/restore.ts';
import { readRemembered } from '../../../../infra/commands/settings/remembered.ts';
import { createRememberingStack } from '../../../support/infra/remembering-stack.ts';

let stack: ReturnType<typeof createRememberingStack>;
let file: Readonly<Record<string, string>>;
let printed: string;

const unanswered = async () => '';
const readFile = () => ({ stages: ['prod'], values: file });
const deployWith = (...args: readonly string[]) =>
  deploy([...args, '--yes'], stack.cdk, async () => true, unanswered, readFile);
const restoreWith = (...args: readonly string[]) => {
  const at = ['--at', '2026-11-21T12:00:00Z', '--yes'];
  return restore([...at, ...args], stack.cdk, unanswered, readFile);
};

beforeEach(() => {
  stack = createRememberingStack({ TableName: 'handbill', FilesBucketName: 'files' });
  file = {};
  printed = '';
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  const dynamoDb = mockClient(DynamoDBClient);
  dynamoDb.on(DescribeTableCommand).resolves({ Table: { TableStatus: 'ACTIVE' } });
  dynamoDb.on(DescribeTimeToLiveCommand).resolves({});
  mockClient(S3Client).on(ListObjectVersionsCommand).resolves({});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('a stage', () => {
  it('keeps what a deployment chose through plain ones, until it returns to the default', async () => {
    await deployWith('-c', 'REGISTRATION=closed');
    await deployWith();
    expect(stack.settings()).toEqual({ REGISTRATION: 'closed' });
    await deployWith('-c', 'MAIL_RATE=5');
    expect(stack.settings()).toEqual({ REGISTRATION: 'closed', MAIL_RATE: '5' });
    await deployWith('-c', 'REGISTRATION=');
    await deployWith();
    expect(stack.settings()).toEqual({ REGISTRATION: '', MAIL_RATE: '5' });
    expect(stack.calls).toHaveLength(5);
  });

  it('keeps the restored table and its other settings after `npm run restore`', async () => {
    const restored = { REGISTRATION: 'closed', existingTable: 'handbill-20261121T120000Z' };
    await deployWith('-c', 'REGISTRATION=closed');
    await restoreWith();
    expect(stack.settings()).toEqual(restored);
    await deployWith();
    expect(stack.settings()).toEqual(restored);
    await expect(deployWith('-c', 'existingTable=')).rejects.toThrow('Pass --replace-data');
    await deployWith('-c', 'existingTable=', '--replace-data');
    expect(stack.settings()).toEqual({ ...restored, existingTable: '' });
  });

  it('is not led back to the former table by a file, which restoring names', async () => {
    file = { existingTable: 'former' };
    await deployWith();
    await restoreWith();
    expect(printed).toContain(
      'Set existingTable to handbill-20261121T120000Z in handbill.json, which has another one.',
    );
    await expect(deployWith()).rejects.toThrow(
      'existingTable would change from handbill-20261121T120000Z to former: ',
    );
  });

  it('is restored with its own bucket only', async () => {
    await deployWith();
    await expect(restoreWith('-c', 'existingBucket=other')).rejects.toThrow('Pass --replace-data');
    expect(stack.calls).toHaveLength(1);
  });
});

describe('readRemembered', () => {
  it('returns nothing for a stage that is not deployed, or not by Handbill', async () => {
    expect(await readRemembered('prod')).toBeUndefined();
    stack.cloudFormation.on(GetTemplateSummaryCommand).resolves({ Metadata: '{"Other":1}' });
    expect(await readRemembered('prod')).toBeUndefined();
  });

  it('stops a deployment that would forget, and says what is missing', async () => {
    const refused = Object.assign(new Error('not authorized'), { name: 'AccessDenied' });
    stack.cloudFormation.on(GetTemplateSummaryCommand).rejects(refused);
    await expect(deployWith()).rejects.toThrow(
      'The settings that stage prod remembers can’t be read: allow your credentials cloudformation:GetTemplateSummary.',
    );
    expect(stack.calls).toEqual([]);
  });
});
