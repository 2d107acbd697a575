import { createHash } from 'node:crypto';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateSummaryCommand,
  type StackStatus,
} from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CdkArguments } from '../../../infra/commands/cdk.ts';
import { deploy } from '../../../infra/commands/deploy.ts';
import { exchangeSecret } from '../../../infra/stack/edge/secret-parameters.ts';
import { outputNames } from '../../../infra/stack/stack-name.ts';

const cloudFormation = mockClient(CloudFormationClient);
const hash = (secret = ''): string => createHash('sha256').update(secret).digest('hex');

/** A stack as CloudFormation keeps it: parameters that aren't passed keep their values. */
let parameters: Record<string, string>;
let status: StackStatus;
const calls: CdkArguments[] = [];

const runCdk = async (args: CdkArguments): Promise<void> => {
  calls.push(args);
  for (const [at, arg] of args.entries()) {
    const [, name = '', value = ''] =
      (arg === '--parameters' && args[at + 1]?.match(/^Handbill-prod:(\w+)=(.+)$/)) || [];
    if (name !== '') parameters[name] = value;
  }
};

const shownOf = (name: string): string =>
  name.startsWith('EdgeSecret') ? '****' : (parameters[name] ?? '');

const deployWith = (...args: readonly string[]) =>
  deploy(
    [...args, '--yes'],
    runCdk,
    async () => true,
    () => expect.unreachable(),
    () => undefined,
  );

const sent = (): string => parameters[`EdgeSecret${parameters['EdgeSends']}`] ?? '';
const accepted = (): string[] => parameters['EdgeAccepts']?.split(',') ?? [];

beforeEach(() => {
  parameters = {};
  status = 'CREATE_COMPLETE';
  calls.length = 0;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  mockClient(LambdaClient).on(GetAccountSettingsCommand).rejects();
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  cloudFormation.reset();
  const Metadata = JSON.stringify({ Handbill: { settings: {}, version: '0.1.0' } });
  cloudFormation.on(GetTemplateSummaryCommand).resolves({ Metadata });
  cloudFormation.on(DescribeStacksCommand).callsFake(() => ({
    Stacks: [
      {
        StackStatus: status,
        Outputs: outputNames.map((OutputKey) => ({ OutputKey, OutputValue: 'https://a.test' })),
        Parameters: Object.keys(parameters).map((name) => ({
          ParameterKey: name,
          ParameterValue: shownOf(name),
        })),
      },
    ],
  }));
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('npm run deploy with a CDN', () => {
  it('passes no parameters without one', async () => {
    await deployWith('-c', 'tracing=true');
    expect(calls.flat()).not.toContain('--parameters');
  });

  it('makes two secrets first: one that is sent, and one that is accepted, too', async () => {
    await deployWith('-c', 'edge=true');
    const { EdgeSecretA, EdgeSecretB, EdgeSends } = parameters;
    expect(EdgeSecretA).toMatch(/^[\w-]{43}$/);
    expect(EdgeSecretB).toMatch(/^[\w-]{43}$/);
    expect(EdgeSecretA).not.toBe(EdgeSecretB);
    expect(EdgeSends).toBe('A');
    expect(accepted()).toEqual([hash(EdgeSecretB), hash(EdgeSecretA)]);
  });

  it('sends another secret each time, which was accepted before and as the one before stays', async () => {
    await deployWith('-c', 'edge=true');
    const used = new Set([sent()]);
    for (let count = 2; count <= 5; count++) {
      const [sentBefore, acceptedBefore] = [sent(), accepted()];
      await deployWith('-c', 'edge=true');
      // While the CDN changes, functions still accept what they did; a rollback needs the secret before.
      expect(acceptedBefore).toContain(hash(sent()));
      expect(accepted()).toContain(hash(sent()));
      expect(accepted()).toContain(hash(sentBefore));
      expect(accepted()).toHaveLength(3);
      used.add(sent());
      expect(used.size).toBe(count);
    }
  });

  it('makes all parameters again after a deployment that was only prepared', async () => {
    await deployWith('-c', 'edge=true');
    status = 'REVIEW_IN_PROGRESS';
    calls.length = 0;
    await deployWith('-c', 'edge=true');
    expect(calls.flat().filter((arg) => arg === '--parameters')).toHaveLength(4);
  });

  it('stops before it changes anything for settings that don’t go together', async () => {
    await expect(deployWith('-c', 'webAclArn=arn')).rejects.toThrow('Set webAclArn to the ARN');
    expect(calls).toEqual([]);
  });
});

describe('exchangeSecret', () => {
  it('starts again without the parameters of a stack', () => {
    expect(Object.keys(exchangeSecret({ EdgeSends: 'A' }))).toHaveLength(4);
  });
});
