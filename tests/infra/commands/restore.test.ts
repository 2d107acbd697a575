import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateSummaryCommand,
} from '@aws-sdk/client-cloudformation';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  TableAlreadyExistsException,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CdkArguments } from '../../../infra/commands/cdk.ts';
import { restore } from '../../../infra/commands/restore.ts';
import { outputNames } from '../../../infra/stack/stack-name.ts';

const [cloudFormation, dynamoDb, s3] = [
  mockClient(CloudFormationClient),
  mockClient(DynamoDBClient),
  mockClient(S3Client),
];
const target = 'handbill-20261121T120000Z';
const at = ['--at', '2026-11-21T12:00:00Z'];

const cdkCalls: CdkArguments[] = [];
const cdk = async (args: CdkArguments): Promise<void> => {
  cdkCalls.push(args);
};
let printed: string;

/** Restores, and says yes to each question. */
const restoreWith = (args: readonly string[]): Promise<void> =>
  restore(
    args,
    cdk,
    async () => 'y',
    () => undefined,
  );

beforeEach(() => {
  for (const one of [cloudFormation, dynamoDb, s3]) one.reset();
  cdkCalls.length = 0;
  printed = '';
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  const values: Readonly<Record<string, string>> = {
    TableName: 'handbill',
    FilesBucketName: 'files',
  };
  const Outputs = outputNames.map((OutputKey) => ({
    OutputKey,
    OutputValue: values[OutputKey] ?? 'other',
  }));
  cloudFormation.on(DescribeStacksCommand).resolves({
    Stacks: [{ StackName: 'x', CreationTime: new Date(), StackStatus: 'CREATE_COMPLETE', Outputs }],
  });
  const Metadata = JSON.stringify({
    Handbill: { settings: { REGISTRATION: { value: 'closed', from: '-c' } }, version: '0.1.0' },
  });
  cloudFormation.on(GetTemplateSummaryCommand).resolves({ Metadata });
  dynamoDb.on(DescribeTableCommand).resolves({ Table: { TableStatus: 'ACTIVE' } });
  dynamoDb.on(DescribeTimeToLiveCommand).resolves({});
  s3.on(ListObjectVersionsCommand).resolves({});
  s3.on(DeleteObjectsCommand).resolves({});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('npm run restore', () => {
  it('restores the table, switches on what it lacks, and deploys with it', async () => {
    await restoreWith([...at, '-c', 'alarmEmail=ops@example.com', '--yes']);
    expect(dynamoDb.commandCalls(RestoreTableToPointInTimeCommand)[0]?.args[0].input).toEqual({
      SourceTableName: 'handbill',
      TargetTableName: target,
      RestoreDateTime: new Date('2026-11-21T12:00:00Z'),
    });
    const inputOf = (command: never) => dynamoDb.commandCalls(command)[0]?.args[0].input;
    expect(inputOf(UpdateTimeToLiveCommand as never)).toMatchObject({
      TableName: target,
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
    });
    expect(inputOf(UpdateContinuousBackupsCommand as never)).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
    expect(inputOf(UpdateTableCommand as never)).toMatchObject({
      TableName: target,
      DeletionProtectionEnabled: true,
    });
    const passed = JSON.stringify({
      REGISTRATION: { value: 'closed', from: '-c' },
      alarmEmail: { value: 'ops@example.com', from: '-c' },
      existingTable: { value: target, from: '-c' },
    });
    expect(cdkCalls).toEqual([
      [
        ...['deploy', 'Handbill-prod', '--context', `handbill:settings=${passed}`],
        ...['--context', 'stage=prod'],
        ...['--require-approval', 'never'],
        ...['--context', expect.stringContaining('handbill:releases={"running":')],
      ],
    ]);
    expect(printed).toContain(`Stage prod uses ${target}, and remembers it.`);
  });

  it('brings back the objects that were deleted since then', async () => {
    const marker = (Key: string, time: string, IsLatest = true) => ({
      Key,
      VersionId: `of ${Key}`,
      IsLatest,
      LastModified: new Date(time),
    });
    s3.on(ListObjectVersionsCommand, { Bucket: 'files', Prefix: 'texts/' })
      .resolvesOnce({
        DeleteMarkers: [
          marker('texts/later', '2026-11-21T12:00:01Z'),
          marker('texts/earlier', '2026-11-21T11:59:59Z'),
        ],
        IsTruncated: true,
        NextKeyMarker: 'texts/m',
      })
      .resolvesOnce({ DeleteMarkers: [marker('texts/newer', '2026-11-22T00:00:00Z')] });
    s3.on(ListObjectVersionsCommand, { Prefix: 'files/' }).resolves({
      DeleteMarkers: [marker('files/back', '2026-11-22T00:00:00Z', false)],
    });
    await restoreWith(at);
    const deleted = s3
      .commandCalls(DeleteObjectsCommand)
      .map(({ args }) => args[0].input.Delete?.Objects);
    expect(deleted).toEqual([
      [{ Key: 'texts/later', VersionId: 'of texts/later' }],
      [{ Key: 'texts/newer', VersionId: 'of texts/newer' }],
    ]);
    expect(printed).toContain('2 deleted objects restored.');
    // The assets of former builds stay as they are: the deployment stores its own.
    const asked = s3.commandCalls(ListObjectVersionsCommand);
    expect(asked.map(({ args }) => args[0].input.Prefix)).toEqual([
      ...['texts/', 'texts/'],
      ...['files/', 'shares/'],
    ]);
  });

  it('stops if S3 refuses an object, before anything is deployed', async () => {
    s3.on(ListObjectVersionsCommand).resolves({
      DeleteMarkers: [{ Key: 'a', VersionId: '1', IsLatest: true, LastModified: new Date() }],
    });
    s3.on(DeleteObjectsCommand).resolves({ Errors: [{ Code: 'AccessDenied' }] });
    await expect(restoreWith(at)).rejects.toThrow('refused to restore 1 objects: AccessDenied.');
    expect(cdkCalls).toEqual([]);
  });

  it('continues with a table that exists', async () => {
    const exists = new TableAlreadyExistsException({ message: 'exists', $metadata: {} });
    dynamoDb.on(RestoreTableToPointInTimeCommand).rejects(exists);
    dynamoDb.on(DescribeTimeToLiveCommand).resolves({
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLING' },
    });
    await restoreWith(at);
    expect(dynamoDb.commandCalls(UpdateTimeToLiveCommand)).toEqual([]);
    expect(cdkCalls).toHaveLength(1);
  });

  it.each([
    ['no time', []],
    ['a time without a zone', ['--at', '2026-11-21T12:00:00']],
    ['a future time', ['--at', '2999-01-01T00:00:00Z']],
    ['another text', ['--at', 'yesterday']],
  ])('refuses %s', async (_, args) => {
    await expect(restoreWith(args)).rejects.toThrow('Set --at to a past time such as');
    expect(dynamoDb.calls()).toEqual([]);
  });
});
