import { randomBytes } from 'node:crypto';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateSummaryCommand,
} from '@aws-sdk/client-cloudformation';
import {
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { recount } from '../../../functions/jobs/recount/recount.ts';
import { restore } from '../../../infra/commands/restore.ts';
import { ensureTable } from '../../../infra/local/table.ts';
import { outputNames } from '../../../infra/stack/stack-name.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { bucketName, put, useBucket } from '../../support/s3/local-s3.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { bytesOf, readObjects, readState, type State } from '../../support/service/state.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const former = process.env['TABLE_NAME'] ?? '';
beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  process.env['TABLE_NAME'] = former;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Answers the commands that the local engine doesn't know. It gets all others. */
const answerFor = (
  { prototype }: typeof DynamoDBClient | typeof S3Client,
  answer: (command: object) => Promise<object> | undefined,
): void => {
  const { send } = prototype;
  vi.spyOn(prototype as { send: (command: object) => unknown }, 'send').mockImplementation(
    function (this: unknown, ...args) {
      return answer(args[0]) ?? Reflect.apply(send, this, args);
    },
  );
};

/** Restores a table as AWS does: a new one, without expiry, backups and protection. */
const restoreItems = async (TableName: string, { items }: State): Promise<object> => {
  const client = new DynamoDBClient({});
  await ensureTable(TableName);
  const TimeToLiveSpecification = { Enabled: false, AttributeName: 'ttl' };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  const documents = DynamoDBDocumentClient.from(client);
  for (const Item of items) await documents.send(new PutCommand({ TableName, Item }));
  return {};
};

const useOutputs = (values: Readonly<Record<string, string>>): void => {
  const Outputs = outputNames.map((OutputKey) => ({
    OutputKey,
    OutputValue: values[OutputKey] ?? 'other',
  }));
  const stack = {
    StackName: 'x',
    CreationTime: new Date(),
    StackStatus: 'CREATE_COMPLETE',
  } as const;
  mockClient(CloudFormationClient)
    .on(DescribeStacksCommand)
    .resolves({ Stacks: [{ ...stack, Outputs }] })
    .on(GetTemplateSummaryCommand)
    .resolves({});
};

it('npm run restore brings a deleted share back, on a table that expires items, with correct totals', async () => {
  const ann = sharesOf(await newUserOf('user'));
  const content = randomBytes(20_000).toString('base64');
  const id = await ann.newShare({ content });
  await minuteLater();
  const backup = await readState();
  const [key = ''] = backup.objects;
  const bytes = await bytesOf(key);
  const at = new Date();
  pass(60_000);
  await ann.remove(id);
  for (let minute = 0; minute < 5; minute++) await minuteLater();
  expect([await readObjects(), (await view(id)).status]).toEqual([[], 404]);

  useOutputs({ TableName: former, FilesBucketName: bucketName() });
  const switched: string[] = [];
  answerFor(DynamoDBClient, (command) => {
    if (command instanceof RestoreTableToPointInTimeCommand) {
      expect(command.input).toMatchObject({ SourceTableName: former, RestoreDateTime: at });
      return restoreItems(command.input.TargetTableName ?? '', backup);
    }
    const isKnown = !(
      command instanceof UpdateContinuousBackupsCommand || command instanceof UpdateTableCommand
    );
    if (isKnown) return undefined;
    switched.push(command.constructor.name);
    return Promise.resolve({});
  });
  const marker = { Key: key, VersionId: '1', IsLatest: true };
  answerFor(S3Client, (command) => {
    if (command instanceof ListObjectVersionsCommand) {
      const isThere = key.startsWith(command.input.Prefix ?? '');
      const LastModified = new Date();
      return Promise.resolve({ DeleteMarkers: isThere ? [{ ...marker, LastModified }] : [] });
    }
    // Without its marker, the object is there again.
    if (command instanceof DeleteObjectsCommand) return put(key, bytes);
    return undefined;
  });
  let deployed = '';
  await restore(
    ['--at', at.toISOString()],
    async (args) => {
      [, deployed = ''] = /"existingTable":{"value":"([^"]+)"/.exec(args.join()) ?? [];
    },
    async () => 'y',
    () => undefined,
  );
  expect(switched).toEqual(['UpdateContinuousBackupsCommand', 'UpdateTableCommand']);

  process.env['TABLE_NAME'] = deployed;
  const { TimeToLiveDescription } = await new DynamoDBClient({}).send(
    new DescribeTimeToLiveCommand({ TableName: deployed }),
  );
  expect(TimeToLiveDescription).toEqual({ AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' });
  expect((await view(id)).body).toMatchObject({ content });
  expect((await recount({ apply: false })).differences).toEqual([]);
});
