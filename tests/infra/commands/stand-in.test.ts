import {
  CloudFormationClient,
  CreateChangeSetCommand,
  DeleteStackCommand,
  DescribeChangeSetCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  ExecuteChangeSetCommand,
  ListStackResourcesCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeDeployable } from '../../../infra/commands/stack/deployable.ts';
import { type StandIn, startStandIn } from '../../support/cloudformation/stand-in.ts';

let standIn: StandIn;
let client: CloudFormationClient;
let printed: string;

beforeAll(async () => {
  standIn = await startStandIn();
  for (const [name, value] of Object.entries(standIn.environment)) vi.stubEnv(name, value);
  client = new CloudFormationClient({ maxAttempts: 1 });
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => {
  standIn.account.refuse = () => undefined;
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  client.destroy();
  await standIn.close();
});

const StackName = 'Handbill-dev';
const template = (more: object = {}) => ({
  Parameters: { Secret: { Type: 'String', NoEcho: true } },
  Resources: {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      DeletionPolicy: 'Retain',
      Properties: { TableName: 'handbill', DeletionProtectionEnabled: true },
    },
    Bucket: { Type: 'AWS::S3::Bucket', DeletionPolicy: 'RetainExceptOnCreate' },
    Role: { Type: 'AWS::IAM::Role', DependsOn: ['Table', 'Bucket'] },
    Queue: { Type: 'AWS::SQS::Queue', DependsOn: ['Table', 'Bucket'] },
  },
  Outputs: { TableName: { Value: { Ref: 'Table' } } },
  ...more,
});

const prepare = (
  ChangeSetType: 'CREATE' | 'UPDATE',
  body: object,
  value: { ParameterValue?: string; UsePreviousValue?: boolean } = { ParameterValue: 'x' },
) =>
  client.send(
    new CreateChangeSetCommand({
      StackName,
      ChangeSetName: 'c',
      ChangeSetType,
      TemplateBody: JSON.stringify(body),
      Parameters: [{ ParameterKey: 'Secret', ...value }],
    }),
  );
const execute = () => client.send(new ExecuteChangeSetCommand({ StackName, ChangeSetName: 'c' }));
const describeStack = async () =>
  (await client.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0];

describe('the stand-in of CloudFormation', () => {
  it('refuses a parameter without a value, and one of no previous template', async () => {
    const input = { StackName, ChangeSetName: 'c', ChangeSetType: 'CREATE' as const };
    const TemplateBody = JSON.stringify(template());
    const without = client.send(new CreateChangeSetCommand({ ...input, TemplateBody }));
    await expect(without).rejects.toThrow('Parameters: [Secret] must have values');
    const previous = prepare('CREATE', template(), { UsePreviousValue: true });
    await expect(previous).rejects.toThrow('Cannot specify usePreviousValue as true');
    await expect(describeStack()).rejects.toThrow(`Stack with id ${StackName} does not exist`);
  });

  it('rolls a failed creation back, keeps what its policy keeps, and can’t be deleted while protected', async () => {
    await prepare('CREATE', template());
    expect((await describeStack())?.StackStatus).toBe('REVIEW_IN_PROGRESS');
    await client.send(
      new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: true }),
    );
    standIn.account.refuse = ({ type }) => (type === 'AWS::IAM::Role' ? 'No right.' : undefined);
    await execute();
    expect((await describeStack())?.StackStatus).toBe('ROLLBACK_COMPLETE');
    const { StackResourceSummaries = [] } = await client.send(
      new ListStackResourcesCommand({ StackName }),
    );
    expect(
      StackResourceSummaries.map((one) => [one.LogicalResourceId, one.ResourceStatus]),
    ).toEqual([
      ['Table', 'DELETE_SKIPPED'],
      ['Bucket', 'DELETE_COMPLETE'],
      ['Role', 'CREATE_FAILED'],
      ['Queue', 'CREATE_FAILED'],
    ]);
    const { StackEvents = [] } = await client.send(new DescribeStackEventsCommand({ StackName }));
    expect(
      StackEvents.filter(({ ResourceStatus }) => ResourceStatus === 'CREATE_FAILED').map(
        ({ ResourceStatusReason }) => ResourceStatusReason,
      ),
    ).toEqual(['Resource creation cancelled', 'No right.']);
    await expect(prepare('UPDATE', template())).rejects.toThrow('is in ROLLBACK_COMPLETE state');
    await expect(client.send(new DeleteStackCommand({ StackName }))).rejects.toThrow(
      `Stack [${StackName}] cannot be deleted while TerminationProtection is enabled`,
    );
  });

  it('is made deployable by the command, which names the cause and what stays', async () => {
    const decider = { isUnattended: false, confirm: async () => 'y' };
    expect(await makeDeployable('dev', decider)).toBe(true);
    expect(printed).toMatch(
      /^The first deployment of stage dev failed \(ROLLBACK_COMPLETE\):\n {2}Role \(AWS::IAM::Role\): No right\.\nRetained/,
    );
    expect(printed).toContain('  table   handbill\n');
    await expect(describeStack()).rejects.toThrow('does not exist');
    await prepare('CREATE', template());
    await execute();
    const { StackEvents = [] } = await client.send(new DescribeStackEventsCommand({ StackName }));
    const reasons = StackEvents.map(({ ResourceStatusReason }) => ResourceStatusReason);
    expect(reasons.join()).toContain("with identifier 'handbill' already exists");
    await makeDeployable('dev', decider);
  });

  it('creates, hides secret parameters, and knows no change of metadata alone', async () => {
    const named = template();
    named.Resources.Table.Properties.TableName = 'other';
    await prepare('CREATE', named);
    await execute();
    expect(await describeStack()).toMatchObject({
      StackStatus: 'CREATE_COMPLETE',
      Parameters: [{ ParameterKey: 'Secret', ParameterValue: '****' }],
      Outputs: [{ OutputKey: 'TableName', OutputValue: 'other' }],
    });
    await prepare('UPDATE', { ...named, Metadata: { a: 1 } }, { UsePreviousValue: true });
    const described = await client.send(
      new DescribeChangeSetCommand({ StackName, ChangeSetName: 'c' }),
    );
    expect([described.Status, described.StatusReason]).toEqual([
      'FAILED',
      expect.stringContaining("didn't contain changes"),
    ]);
  });

  it('goes back after a failed update, and shows an operation in progress', async () => {
    standIn.account.refuse = ({ type }) => (type === 'AWS::SQS::Queue' ? 'No queue.' : undefined);
    const changed = template({ Description: 'Changed' });
    changed.Resources.Table.Properties.TableName = 'other';
    Object.assign(changed.Resources.Queue, { Properties: { DelaySeconds: 5 } });
    await prepare('UPDATE', changed, { UsePreviousValue: true });
    standIn.stacks.readsInProgress = 1;
    await execute();
    standIn.stacks.readsInProgress = 0;
    expect((await describeStack())?.StackStatus).toBe('UPDATE_IN_PROGRESS');
    expect((await describeStack())?.StackStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
  });
});
