import {
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  TableAlreadyExistsException,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import { schema } from '../../shared/db/key.ts';
import { readSettingsFile } from '../stack/settings/settings-file.ts';
import { ask } from './ask.ts';
import { deployArguments, releasesArguments, runCdk } from './cdk.ts';
import {
  CommandError,
  chooseStage,
  parseCommand,
  print,
  run,
  stageOptions,
  stageUsage,
} from './command.ts';
import { findReleases } from './rollback/deployed.ts';
import { readRemembered } from './settings/remembered.ts';
import { resolveSettings } from './settings/resolve.ts';
import { readOutputs } from './stage-outputs.ts';

/** Large tables take hours. Seconds, as the SDK waits. */
const maxWaitSeconds = 12 * 3_600;

/** The prefixes of the objects that records name. */
const prefixes = ['texts/', 'files/', 'shares/'] as const;

/**
 * Parses the time to restore.
 * @throws CommandError unless it is a past time with a zone
 */
const parseTime = (text: string | undefined): Date => {
  const at = new Date(/T.*(Z|[+-]\d\d:\d\d)$/.test(text ?? '') ? (text ?? '') : Number.NaN);
  if (!(at.getTime() < Date.now())) {
    throw new CommandError('Set --at to a past time such as 2026-11-24T12:00:00Z.');
  }
  return at;
};

/** Returns the name of the restored table: the former one with the time, such as `Table-20261124T120000Z`. */
const toTableName = (source: string, at: Date): string => {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '');
  return `${source.replace(/-\d{8}T\d{6}Z$/, '').slice(0, 238)}-${time}`;
};

/** Restores the table as a new one, unless that exists, and waits until it can be used. */
const restoreTable = async (
  client: DynamoDBClient,
  source: string,
  target: string,
  at: Date,
): Promise<void> => {
  const request = { SourceTableName: source, TargetTableName: target, RestoreDateTime: at };
  try {
    await client.send(new RestoreTableToPointInTimeCommand(request));
  } catch (error) {
    if (!(error instanceof TableAlreadyExistsException)) throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: maxWaitSeconds }, { TableName: target });
};

/** Switches on what a restored table lacks: expiry, backups and protection. Safe to repeat. */
const protectTable = async (client: DynamoDBClient, TableName: string): Promise<void> => {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  // It can be changed once an hour.
  if (!/^ENABL/.test(TimeToLiveDescription?.TimeToLiveStatus ?? '')) {
    const TimeToLiveSpecification = { Enabled: true, AttributeName: schema.ttl };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(
    new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }),
  );
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
};

/** Lists the markers of the objects below a prefix that are deleted now, and were not at that time, in pages of 1,000. */
async function* listDeleted(client: S3Client, Bucket: string, Prefix: string, at: Date) {
  let page: Partial<ListObjectVersionsCommandOutput> = {};
  do {
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    page = await client.send(
      new ListObjectVersionsCommand({ Bucket, Prefix, KeyMarker, VersionIdMarker }),
    );
    yield (page.DeleteMarkers ?? [])
      .filter(({ IsLatest, LastModified = at }) => IsLatest === true && LastModified > at)
      .map(({ Key = '', VersionId = '' }) => ({ Key, VersionId }));
  } while (page.IsTruncated);
}

/**
 * Brings back what was deleted from the bucket since then, by removing the markers of the deletions. Objects are never
 * overwritten. Returns how many.
 */
const restoreObjects = async (client: S3Client, Bucket: string, at: Date): Promise<number> => {
  let count = 0;
  for (const prefix of prefixes) {
    for await (const Objects of listDeleted(client, Bucket, prefix, at)) {
      if (Objects.length === 0) continue;
      const { Errors = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
      );
      if (Errors.length > 0) {
        throw new CommandError(
          `S3 refused to restore ${Errors.length} objects: ${Errors[0]?.Code}.`,
        );
      }
      count += Objects.length;
    }
  }
  return count;
};

const usage = `Usage: npm run restore -- --at <time> [--stage <name>] [--region <region>] [-c <name>=<value>]… [--yes]
Restores table and files as they were at a time of the last 35 days, and deploys the stage with them and its settings.
  --at <time>        such as 2026-11-24T12:00:00Z
  -c, --context <name>=<value>  a setting (README.md#configure)
  --yes              changes settings and grants permissions without asking
${stageUsage}`;

/**
 * Runs `npm run restore -- --at <time> [--stage <name>] [--region <region>] [-c name=value …] [--yes]`: restores the table
 * as a new one and the objects in their bucket, and deploys the stage with that table, which it remembers with its other
 * settings. It can be repeated after a failure.
 */
export const restore = async (
  args: readonly string[],
  cdk = runCdk,
  confirm = ask,
  readFile = readSettingsFile,
): Promise<void> => {
  const { values } = parseCommand(usage, {
    args,
    options: {
      ...stageOptions,
      at: { type: 'string' },
      context: { type: 'string', short: 'c', multiple: true },
      yes: { type: 'boolean' },
    },
  });
  const stage = chooseStage(values);
  const at = parseTime(values.at);
  const { TableName, FilesBucketName } = await readOutputs(stage);
  const target = toTableName(TableName, at);
  const file = readFile(stage);
  const isUnattended = values.yes ?? false;
  const { context } = await resolveSettings({
    stage,
    given: [...(values.context ?? []), `existingTable=${target}`],
    file,
    remembered: (await readRemembered(stage))?.settings ?? {},
    isFirst: false,
    isUnattended,
    replaceable: ['existingTable'],
    confirm,
  });
  const dynamoDb = new DynamoDBClient({});
  print(`Restoring ${TableName} as ${target}. Large tables take hours.`);
  await restoreTable(dynamoDb, TableName, target, at);
  await protectTable(dynamoDb, target);
  const count = await restoreObjects(new S3Client({}), FilesBucketName, at);
  print(`${count} deleted objects restored.`);
  const releases = await findReleases(stage);
  await cdk([
    ...deployArguments(stage, [context], isUnattended),
    ...(releases ? releasesArguments(releases) : []),
  ]);
  print(`Stage ${stage} uses ${target}, and remembers it.`);
  if (file?.values['existingTable'] !== undefined) {
    print(`Set existingTable to ${target} in handbill.json, which has another one.`);
  }
  print(`Check the totals with \`npm run recount\`. ${TableName} remains until you delete it.`);
};

if (import.meta.main) await run(restore);
