import {
  CloudFormationClient,
  ContinueUpdateRollbackCommand,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  GetTemplateSummaryCommand,
  ListStackResourcesCommand,
  RollbackStackCommand,
  type Stack,
  type StackEvent,
  type StackStatus,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CdkArguments } from '../../../infra/commands/cdk.ts';
import { CommandError } from '../../../infra/commands/command.ts';
import { deploy } from '../../../infra/commands/deploy.ts';
import { destroy } from '../../../infra/commands/destroy.ts';

const arn = 'arn:aws:cloudformation:eu-central-1:123456789012:stack/Handbill-dev/1';
const url = 'https://abc.execute-api.eu-central-1.amazonaws.com';
const table = 'Handbill-dev-Table-1';

const outputs: Readonly<Record<string, string>> = {
  ServiceUrl: url,
  SnippetsUrl: 'https://def.execute-api.eu-central-1.amazonaws.com',
  TableName: table,
  FilesBucketName: 'handbill-files',
  SigningSecretId: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:s',
  LongestTokenSeconds: String(30 * 86_400),
  Ephemeral: 'false',
};

const toOutputs = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));

/** What tells of the stack; it changes as commands are sent. */
let stack: Stack | undefined;

const put = (StackStatus: StackStatus, more: Partial<Stack> = {}): void => {
  stack = {
    StackId: arn,
    StackName: 'Handbill-dev',
    CreationTime: new Date('2026-11-21T12:00:00Z'),
    StackStatus,
    Outputs: /(CREATE|UPDATE|UPDATE_ROLLBACK)_COMPLETE$/.test(StackStatus)
      ? toOutputs(outputs)
      : [],
    ...more,
  };
};

const event = (
  LogicalResourceId: string,
  ResourceStatus: string,
  ResourceStatusReason?: string,
): StackEvent => ({
  StackId: arn,
  StackName: 'Handbill-dev',
  EventId: `${LogicalResourceId} ${ResourceStatus}`,
  Timestamp: new Date(),
  LogicalResourceId,
  ResourceType: LogicalResourceId === 'Handbill-dev' ? 'AWS::CloudFormation::Stack' : 'AWS::X::Y',
  PhysicalResourceId: LogicalResourceId === 'Handbill-dev' ? arn : LogicalResourceId,
  ResourceStatus: ResourceStatus as 'CREATE_FAILED',
  ResourceStatusReason,
});

const cloudFormation = mockClient(CloudFormationClient);
const cdkCalls: CdkArguments[] = [];
const cdk = async (args: CdkArguments): Promise<void> => {
  cdkCalls.push(args);
  put(stack ? 'UPDATE_COMPLETE' : 'CREATE_COMPLETE', {
    EnableTerminationProtection: stack?.EnableTerminationProtection ?? false,
  });
};

const tested: string[] = [];
const test = async (stage: string): Promise<boolean> => {
  tested.push(stage);
  return true;
};

const questions: string[] = [];
const answer = (text: string) => async (question: string) => {
  questions.push(question);
  return text;
};
const dontAsk = () => expect.unreachable();

let printed: string;

const noFile = () => undefined;
const run = (...args: readonly string[]) =>
  deploy(['--stage', 'dev', ...args], cdk, test, dontAsk, noFile);
const runAnd = (text: string) => deploy(['--stage', 'dev'], cdk, test, answer(text), noFile);

/** What a stack remembers, which is all that a first deployment would ask. */
const remembered = {
  REGISTRATION: { value: 'open', from: 'answer' },
  monthlyBudget: { value: '', from: 'answer' },
};
const updated = [
  ...['deploy', 'Handbill-dev', '--context', `handbill:settings=${JSON.stringify(remembered)}`],
  ...['--context', 'stage=dev'],
  ...['--context', 'handbill:releases={"running":{"version":"0.1.0"}}'],
];

const protections = () =>
  cloudFormation
    .commandCalls(UpdateTerminationProtectionCommand)
    .map(({ args }) => args[0].input.EnableTerminationProtection);
const deletions = () =>
  cloudFormation.commandCalls(DeleteStackCommand).map(({ args }) => args[0].input);

beforeEach(() => {
  cloudFormation.reset();
  for (const list of [cdkCalls, tested, questions]) list.length = 0;
  stack = undefined;
  printed = '';
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  const write = (text: string | Uint8Array) => {
    printed += text;
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(write);
  vi.spyOn(process.stderr, 'write').mockImplementation(write);
  cloudFormation.on(DescribeStacksCommand).callsFake(() => {
    if (stack) return { Stacks: [stack] };
    throw Object.assign(new Error('Stack with id Handbill-x does not exist'), {
      name: 'ValidationError',
    });
  });
  cloudFormation.on(GetTemplateSummaryCommand).callsFake(() => {
    if (!stack || stack.StackStatus === 'REVIEW_IN_PROGRESS') {
      throw Object.assign(new Error('Stack with id Handbill-x does not exist'), {
        name: 'ValidationError',
      });
    }
    const Handbill = { settings: remembered, version: '0.1.0' };
    return { Metadata: JSON.stringify({ Handbill }) };
  });
  const AccountLimit = { ConcurrentExecutions: 1_000 };
  mockClient(LambdaClient).on(GetAccountSettingsCommand).resolves({ AccountLimit });
  cloudFormation.on(UpdateTerminationProtectionCommand).callsFake((input) => {
    if (stack) stack.EnableTerminationProtection = input.EnableTerminationProtection;
    return {};
  });
  cloudFormation.on(DeleteStackCommand).callsFake(() => {
    if (stack?.EnableTerminationProtection) throw new Error('TerminationProtection is enabled');
    stack = undefined;
    return {};
  });
  cloudFormation.on(DescribeStackEventsCommand).resolves({ StackEvents: [] });
  cloudFormation.on(ListStackResourcesCommand).resolves({ StackResourceSummaries: [] });
  cloudFormation.on(GetTemplateCommand).resolves({
    TemplateBody: JSON.stringify({
      Resources: { Table: { DeletionPolicy: 'Retain' }, Queue: { DeletionPolicy: 'Delete' } },
    }),
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('npm run deploy', () => {
  it('creates a stage unprotected, and protects it once it runs', async () => {
    await run('--region', 'eu-west-1', '-c', 'tracing=false', '-c', 'tracing=false', '--yes');
    const settings = '{"tracing":{"value":"false","from":"-c"}}';
    expect(cdkCalls).toEqual([
      [
        ...['deploy', 'Handbill-dev', '--context', `handbill:settings=${settings}`],
        ...['--context', 'stage=dev', '--require-approval', 'never'],
        ...['--context', 'handbill:unprotected=true'],
      ],
    ]);
    expect(process.env['AWS_REGION']).toBe('eu-west-1');
    expect(protections()).toEqual([true]);
    expect(tested).toEqual(['dev']);
    expect(printed).toContain(`Handbill is running at ${url}`);
  });

  it('says that nobody is told of failures without an address for alarms', async () => {
    const warning = 'No alarms: nobody is told when something fails.';
    await run('-c', 'alarmEmail=ops@example.com', '--yes');
    expect(printed).not.toContain(warning);
    await run('-c', 'alarmEmail=', '--yes');
    expect(printed).toContain(warning);
  });

  it('says which role that must have a second factor isn’t built in, and goes on', async () => {
    await run('-c', 'MFA_REQUIRED_ROLES=admn', '--yes');
    expect(printed).toContain('MFA_REQUIRED_ROLES names admn, which isn’t a built-in role');
    expect(printed).toContain('Did you mean admin?');
    expect(tested).toEqual(['dev']);
    await expect(run('-c', 'MFA_REQUIRED_ROLES=Admin', '--yes')).rejects.toThrow(
      /^Set MFA_REQUIRED_ROLES to up to 24 names of roles/,
    );
  });

  it('updates a stage as it is protected', async () => {
    put('UPDATE_ROLLBACK_COMPLETE', { EnableTerminationProtection: true });
    await run();
    expect(cdkCalls).toEqual([updated]);
    expect(protections()).toEqual([]);
  });

  it('shows what would change with --preview, and changes nothing', async () => {
    put('UPDATE_COMPLETE');
    await run('-c', 'REGISTRATION=closed', '--preview');
    expect(printed).toMatch(/Settings of stage dev:\n {2}REGISTRATION {2}open → closed {2}-c\n$/);
    const chosen = { ...remembered, REGISTRATION: { value: 'closed', from: '-c' } };
    expect(cdkCalls).toEqual([
      [
        ...['diff', 'Handbill-dev', '--context', `handbill:settings=${JSON.stringify(chosen)}`],
        ...['--context', 'stage=dev', '--method', 'template'],
      ],
    ]);
    expect([questions, tested]).toEqual([[], []]);
  });

  it('protects no ephemeral stage', async () => {
    await deploy(
      ['--stage', 'dev', '-c', 'ephemeral=true', '--yes'],
      async () =>
        put('CREATE_COMPLETE', {
          Outputs: toOutputs({ ...outputs, Ephemeral: 'true' }),
        }),
      test,
      dontAsk,
      noFile,
    );
    expect(protections()).toEqual([]);
  });

  it('says that a stage isn’t protected if that is refused, and goes on', async () => {
    cloudFormation.on(UpdateTerminationProtectionCommand).rejects(new Error('not authorized'));
    await run('--yes');
    expect(printed).toContain('Stack Handbill-dev isn’t protected from deletion: not authorized.');
    expect(tested).toEqual(['dev']);
  });

  it('tells the app what runs, and says how to go back if the test fails', async () => {
    put('UPDATE_COMPLETE', { EnableTerminationProtection: true });
    const running = { version: '0.2.0', commit: 'b'.repeat(40) };
    const previous = { version: '0.1.0', commit: 'a'.repeat(40) };
    cloudFormation.on(GetTemplateSummaryCommand).resolves({
      Metadata: JSON.stringify({
        Handbill: { settings: remembered, ...running },
        HandbillPrevious: previous,
      }),
    });
    const fail = async () => {
      throw new CommandError('Smoke test failed: GET / (500).');
    };
    await expect(deploy(['--stage', 'dev'], cdk, fail, dontAsk, noFile)).rejects.toThrow(
      'Smoke test failed: GET / (500).\nThe stage runs it nevertheless. Go back to 0.1.0 (aaaaaaa): npm run rollback -- --stage dev',
    );
    expect(cdkCalls[0]?.slice(-1)).toEqual([
      `handbill:releases=${JSON.stringify({ running, previous })}`,
    ]);
  });

  it.each([
    ['an invalid stage name', ['--stage', 'Dev'], /^Set --stage to a name/],
    ['a stage in the context', ['-c', 'stage=dev'], /--stage name for the stage\.$/],
    ['a context without a name', ['-c', 'ephemeral'], /--context name=value/],
    [
      'an unknown option',
      ['--stge', 'dev'],
      /^Unknown option '--stge'\.\nUsage: npm run deploy -- /,
    ],
    ['a stage without its name', ['--stage'], /argument missing/],
  ])('rejects %s', async (_, args, message) => {
    const deployed = () => deploy(args, cdk, test, dontAsk, noFile);
    await expect(deployed()).rejects.toThrow(message);
    await expect(deployed()).rejects.toBeInstanceOf(CommandError);
    expect(cdkCalls).toEqual([]);
  });
});

describe('npm run deploy after a failed first deployment', () => {
  beforeEach(() => {
    cloudFormation.on(ListStackResourcesCommand).resolves({
      StackResourceSummaries: [
        ['Table', 'AWS::DynamoDB::GlobalTable', table, 'DELETE_SKIPPED'],
        ['Queue', 'AWS::SQS::Queue', 'queue', 'DELETE_COMPLETE'],
      ].map(([LogicalResourceId, ResourceType, PhysicalResourceId, ResourceStatus]) => ({
        LogicalResourceId,
        ResourceType,
        PhysicalResourceId,
        ResourceStatus: ResourceStatus as 'DELETE_SKIPPED',
        LastUpdatedTimestamp: new Date(),
      })),
    });
    cloudFormation
      .on(DescribeStackEventsCommand)
      .resolvesOnce({
        StackEvents: [
          event('Handbill-dev', 'ROLLBACK_COMPLETE'),
          event(
            'Handbill-dev',
            'ROLLBACK_IN_PROGRESS',
            'The following resource(s) failed: [A, B].',
          ),
          event('B', 'CREATE_FAILED', 'Resource creation cancelled'),
        ],
        NextToken: '2',
      })
      .resolves({
        StackEvents: [
          event('Jobs', 'CREATE_FAILED', 'Specified ReservedConcurrentExecutions is too high'),
          event('Jobs', 'CREATE_IN_PROGRESS'),
          event('Handbill-dev', 'CREATE_IN_PROGRESS', 'User Initiated'),
          event('Old', 'CREATE_FAILED', 'of an operation before'),
        ],
      });
  });

  it.each(['CREATE_FAILED', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'] as const)(
    'says why, names what stays, deletes the stack after a yes and creates it again: %s',
    async (status) => {
      put(status, { EnableTerminationProtection: true });
      await runAnd('y');
      expect(printed).toContain(
        `${[
          `The first deployment of stage dev failed (${status}):`,
          '  Jobs (AWS::X::Y): Specified ReservedConcurrentExecutions is too high',
          'Retained, and billed until you delete it:',
          `  table   ${table}`,
          `    use it again: npm run deploy -- -c existingTable=${table}`,
          `    delete it: aws dynamodb update-table --table-name ${table} --no-deletion-protection-enabled, then aws dynamodb delete-table --table-name ${table}`,
        ].join('\n')}\n`,
      );
      expect(questions).toEqual(['Delete the stack Handbill-dev and deploy it again? [y/N] ']);
      expect(protections()).toEqual([false, true]);
      expect(deletions()).toEqual([{ StackName: arn }]);
      expect(cdkCalls[0]?.at(-1)).toBe('handbill:unprotected=true');
    },
  );

  it.each([
    [['-c', 'REGISTRATON=closed'], 'Unknown setting REGISTRATON. Did you mean REGISTRATION?'],
    [['-c', 'EMAIL_VERIFICATION=required'], 'Set MAIL_FROM to the sender address'],
  ])('deletes nothing for settings that are wrong: %j', async (args, message) => {
    put('ROLLBACK_COMPLETE');
    await expect(run(...args, '--yes')).rejects.toThrow(message);
    expect([deletions(), cdkCalls]).toEqual([[], []]);
  });

  it('changes nothing after a no', async () => {
    put('ROLLBACK_COMPLETE', { EnableTerminationProtection: true });
    await expect(runAnd('')).rejects.toThrow('Canceled. No changes made.');
    expect([protections(), deletions(), cdkCalls]).toEqual([[], [], []]);
  });

  it('doesn’t ask with --yes', async () => {
    put('ROLLBACK_COMPLETE');
    await run('--yes');
    expect(deletions()).toEqual([{ StackName: arn }]);
  });

  it('creates a stack that was only prepared, without a question', async () => {
    put('REVIEW_IN_PROGRESS');
    await run('--yes');
    expect(deletions()).toEqual([]);
    expect(cdkCalls[0]?.at(-1)).toBe('handbill:unprotected=true');
  });

  it('leaves what can’t be deleted', async () => {
    put('DELETE_FAILED');
    cloudFormation.on(DeleteStackCommand).callsFake((input) => {
      if (input.RetainResources) stack = undefined;
      return {};
    });
    await runAnd('yes');
    expect(printed).toContain('The deletion of stage dev failed (DELETE_FAILED):');
    expect(printed).toContain('These can’t be deleted, and stay:');
    expect(deletions().map(({ RetainResources }) => RetainResources)).toEqual([
      undefined,
      ['Jobs'],
    ]);
  });
});

describe('npm run deploy after a failed update', () => {
  it.each([
    ['UPDATE_FAILED', RollbackStackCommand],
    ['UPDATE_ROLLBACK_FAILED', ContinueUpdateRollbackCommand],
  ] as const)('rolls it back after a yes, and deploys: %s', async (status, command) => {
    put(status, { EnableTerminationProtection: true });
    cloudFormation.on(command as typeof RollbackStackCommand).callsFake(() => {
      put('UPDATE_ROLLBACK_COMPLETE', { EnableTerminationProtection: true });
      return {};
    });
    await runAnd('y');
    expect(questions).toEqual(['Roll the stack Handbill-dev back, and then deploy? [y/N] ']);
    expect(cdkCalls).toEqual([updated]);
    expect(deletions()).toEqual([]);
  });

  it('says what to do if it can’t be rolled back', async () => {
    put('UPDATE_ROLLBACK_FAILED');
    cloudFormation.on(ContinueUpdateRollbackCommand).resolves({});
    cloudFormation.on(DescribeStackEventsCommand).resolves({
      StackEvents: [event('Queue', 'UPDATE_FAILED', 'was deleted')],
    });
    await expect(runAnd('y')).rejects.toThrow(
      'aws cloudformation continue-update-rollback --stack-name Handbill-dev --resources-to-skip Queue',
    );
    expect(cdkCalls).toEqual([]);
  });
});

describe('npm run deploy beside others', () => {
  it('says that another operation runs', async () => {
    put('UPDATE_IN_PROGRESS', { LastUpdatedTime: new Date('2026-11-22T08:00:00Z') });
    await expect(run()).rejects.toThrow(
      'Stack Handbill-dev is being changed by someone else (UPDATE_IN_PROGRESS since 2026-11-22T08:00:00.000Z).',
    );
  });

  it('leaves to people what it doesn’t know', async () => {
    put('IMPORT_ROLLBACK_FAILED');
    await expect(run()).rejects.toThrow('Stack Handbill-dev is IMPORT_ROLLBACK_FAILED.');
  });
});

describe('npm run deploy that fails', () => {
  const failTo = (status: StackStatus | undefined) =>
    deploy(
      ['--stage', 'dev', '--yes'],
      async () => {
        if (status) put(status, { LastUpdatedTime: new Date() });
        throw new CommandError('`cdk deploy` failed.');
      },
      test,
      dontAsk,
      noFile,
    );

  it.each([
    [undefined, 'ROLLBACK_COMPLETE', 'Nothing runs yet. Correct the reasons above and run'],
    ['UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE', 'Stage dev runs as before.'],
    ['UPDATE_COMPLETE', 'UPDATE_ROLLBACK_FAILED', 'it rolls the stack back first'],
  ] as const)('says what is next: %s to %s', async (before, after, next) => {
    if (before) put(before);
    await expect(failTo(after)).rejects.toThrow(next);
    expect([protections(), tested]).toEqual([[], []]);
  });

  it.each([undefined, 'UPDATE_ROLLBACK_COMPLETE'] as const)(
    'adds nothing if the stack is as before: %s',
    async (before) => {
      if (before) put(before);
      await expect(failTo(undefined)).rejects.toThrow(/^`cdk deploy` failed\.$/);
    },
  );
});

describe('npm run destroy', () => {
  const destroyDev = (text: string) => destroy(['--stage', 'dev'], answer(text));

  it('lists the retained resources, asks for the stage name and deletes the stack', async () => {
    put('CREATE_COMPLETE', { EnableTerminationProtection: true });
    await destroyDev('dev\n');
    expect(questions).toEqual(['Type dev to destroy the stage: ']);
    expect(protections()).toEqual([false]);
    expect(deletions()).toEqual([{ StackName: arn }]);
    for (const name of [table, outputs['FilesBucketName'], outputs['SigningSecretId']]) {
      expect(printed).toContain(name);
    }
    const data = `existingTable=${table} -c existingBucket=handbill-files -c existingSecret=${outputs['SigningSecretId']}`;
    expect(printed).toMatch(
      `Stage dev deleted.\nDeploy it again, with what is retained and its settings: npm run deploy -- --stage dev -c REGISTRATION=open -c ${data}\n`,
    );
  });

  it.each(['', 'prod', 'y'])('cancels for the input %j', async (input) => {
    put('CREATE_COMPLETE', { EnableTerminationProtection: true });
    await expect(destroyDev(input)).rejects.toThrow('Canceled.');
    expect([protections(), deletions()]).toEqual([[], []]);
  });

  it('skips the confirmation with --yes', async () => {
    put('CREATE_COMPLETE', { Outputs: toOutputs({ ...outputs, Ephemeral: 'true' }) });
    await destroy(['--stage', 'dev', '--yes'], dontAsk);
    expect(printed).toContain('Nothing is retained.');
    expect(deletions()).toEqual([{ StackName: arn }]);
  });

  it('lists what a failed deployment has left, from the resources of the stack', async () => {
    put('ROLLBACK_FAILED');
    cloudFormation.on(ListStackResourcesCommand).resolves({
      StackResourceSummaries: [
        {
          LogicalResourceId: 'Table',
          ResourceType: 'AWS::DynamoDB::GlobalTable',
          PhysicalResourceId: table,
          ResourceStatus: 'DELETE_SKIPPED' as 'CREATE_COMPLETE',
          LastUpdatedTimestamp: new Date(),
        },
      ],
    });
    await destroyDev('dev');
    expect(printed).toContain(`  table   ${table}\n`);
    expect(deletions()).toEqual([{ StackName: arn }]);
  });

  it('does nothing for a missing stage', async () => {
    await expect(destroyDev('dev')).rejects.toThrow('Stage dev isn’t deployed');
  });

  it('does nothing while another operation runs', async () => {
    put('UPDATE_IN_PROGRESS');
    await expect(destroyDev('dev')).rejects.toThrow('is being changed (UPDATE_IN_PROGRESS)');
    expect(deletions()).toEqual([]);
  });
});
