import { PassThrough } from 'node:stream';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateSummaryCommand,
} from '@aws-sdk/client-cloudformation';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askHidden } from '../../../infra/commands/ask-hidden.ts';
import { secret } from '../../../infra/commands/secret.ts';
import { describeNewProviders } from '../../../infra/commands/settings/new-providers.ts';

const SecretId = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:ProviderSecrets';

const outputs = {
  ServiceUrl: 'https://handbill.example.com',
  SnippetsUrl: 'https://snippets.example.com',
  TableName: 'handbill-test',
  FilesBucketName: 'handbill-files',
  SigningSecretId: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:s',
  LongestTokenSeconds: '1',
  Ephemeral: 'false',
};

const providers = {
  OIDC_GOOGLE_ISSUER: 'https://accounts.google.com',
  OIDC_GOOGLE_CLIENT_ID: 'client',
  OIDC_GITHUB_ISSUER: 'https://github.com',
  OIDC_GITHUB_CLIENT_ID: 'client',
};

const cloudFormation = mockClient(CloudFormationClient);
const secretsManager = mockClient(SecretsManagerClient);
let printed = '';

const deploy = (more: Readonly<Record<string, string>> = { ProviderSecretsId: SecretId }) => {
  const settings = Object.fromEntries(
    Object.entries(providers).map(([name, value]) => [name, { value, from: '-c' }]),
  );
  const Metadata = JSON.stringify({ Handbill: { settings, version: '0.1.0' } });
  const Outputs = Object.entries({ ...outputs, ...more }).map(([OutputKey, OutputValue]) => ({
    OutputKey,
    OutputValue,
  }));
  const stack = { StackName: 'Handbill-prod', CreationTime: new Date(), Outputs };
  cloudFormation.on(GetTemplateSummaryCommand).resolves({ Metadata });
  cloudFormation
    .on(DescribeStacksCommand)
    .resolves({ Stacks: [{ ...stack, StackStatus: 'CREATE_COMPLETE' }] });
};

/** What is stored; nothing without a text. */
const hold = (SecretString?: string): void => {
  const read = secretsManager.on(GetSecretValueCommand, { SecretId });
  if (SecretString !== undefined) read.resolves({ SecretString });
  else read.rejects(new ResourceNotFoundException({ message: 'no value', $metadata: {} }));
};

const stored = (): unknown[] =>
  secretsManager.commandCalls(PutSecretValueCommand).map(({ args: [{ input }] }) => {
    expect(input.SecretId).toBe(SecretId);
    return JSON.parse(input.SecretString ?? '');
  });

const answer = (text: string) => async (): Promise<string> => text;

beforeEach(() => {
  cloudFormation.reset();
  secretsManager.reset();
  secretsManager.on(PutSecretValueCommand).resolves({});
  printed = '';
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += text;
      return true;
    });
  }
  deploy();
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('npm run secret', () => {
  it('stores the first secret, says which address to register, and shows no secret', async () => {
    hold();
    await secret(['Google'], answer('geheim'));
    expect(stored()).toEqual([{ google: 'geheim' }]);
    expect(printed).toBe(
      'Register this redirect address at Google: https://handbill.example.com/login/google/callback\nStored. Stage prod uses it within five minutes.\n',
    );
  });

  it('keeps the secrets of other providers', async () => {
    hold('{"google":"old","github":"other"}');
    await secret(['google'], answer('geheim'));
    expect(stored()).toEqual([{ google: 'geheim', github: 'other' }]);
  });

  it('lists who has a secret, and shows none', async () => {
    hold('{"google":"geheim","former":"geheim"}');
    await secret(['--list']);
    expect(printed).toBe(
      [
        'github  no secret  https://github.com',
        'google  secret stored  https://accounts.google.com',
        'former  secret stored, but stage prod has no such provider',
        '',
      ].join('\n'),
    );
  });

  it('removes one, also of a provider that is gone', async () => {
    hold('{"google":"geheim","former":"geheim"}');
    await secret(['former', '--remove']);
    expect(stored()).toEqual([{ google: 'geheim' }]);
    await expect(secret(['github', '--remove'])).rejects.toThrow(
      'Stage prod has no secret of github.',
    );
  });

  it.each([
    [[], /^Usage: npm run secret/],
    [['google', 'github'], /^Usage: npm run secret/],
    [['google', '--list'], /^Usage: npm run secret/],
    [['gogle'], /^Stage prod has no provider gogle\. Did you mean google\?$/],
    [['work'], /^Stage prod has no provider work\. It has github, google\.$/],
  ])('stores nothing for %j', async (args, sentence) => {
    hold();
    await expect(secret(args, answer('geheim'))).rejects.toThrow(sentence);
    expect(stored()).toEqual([]);
  });

  it('refuses what can’t be a secret without showing it', async () => {
    hold();
    const refused = secret(['google'], answer('geheim\nzweite'));
    await expect(refused).rejects.toThrow(/^Set OIDC_GOOGLE_CLIENT_SECRET to the client secret/);
    await expect(refused).rejects.not.toThrow('geheim');
    expect(stored()).toEqual([]);
  });

  it('overwrites nothing of another form', async () => {
    hold('geheim');
    const refused = secret(['google'], answer('neu'));
    await expect(refused).rejects.toThrow(/has another form/);
    await expect(refused).rejects.not.toThrow('geheim');
    expect(stored()).toEqual([]);
  });

  it('says how a stage gets its first provider', async () => {
    deploy({});
    await expect(secret(['google'], answer('geheim'))).rejects.toThrow(
      /^Stage prod has no providers\. Deploy it with -c OIDC_GOOGLE_ISSUER=/,
    );
  });
});

describe('a hidden question', () => {
  const open = (isTTY: boolean) => {
    const input = Object.assign(new PassThrough(), { isTTY, setRawMode: () => input });
    const output = new PassThrough();
    return { input, output, shown: () => String(output.read()) };
  };

  it('shows nothing of what is typed', async () => {
    const { input, output, shown } = open(true);
    const asked = askHidden('Secret: ', input, output);
    input.write('geheim\r');
    expect(await asked).toBe('geheim');
    expect(shown()).toBe('Secret: \n');
  });

  it('takes all of a pipe, and asks nothing', async () => {
    const { input, output } = open(false);
    input.write('ge');
    input.end('heim\n');
    expect(await askHidden('Secret: ', input, output)).toBe('geheim');
    expect(output.read()).toBeNull();
  });

  it('fails without an answer, and by Ctrl+C', async () => {
    const piped = open(false);
    piped.input.end('\n');
    await expect(askHidden('Secret: ', piped.input, piped.output)).rejects.toThrow(
      'Nothing was entered.',
    );
    const { input, output } = open(true);
    const asked = askHidden('Secret: ', input, output);
    input.write('\u0003');
    await expect(asked).rejects.toMatchObject({ message: 'Canceled.', exitCode: 130 });
  });
});

it('a deployment says what is left to do for new providers only', () => {
  const { OIDC_GITHUB_ISSUER, OIDC_GITHUB_CLIENT_ID } = providers;
  const before = { OIDC_GITHUB_ISSUER, OIDC_GITHUB_CLIENT_ID };
  const of = { stage: 'try', url: outputs.ServiceUrl };
  expect(describeNewProviders(before, providers, of)).toEqual([
    'Register this redirect address at Google: https://handbill.example.com/login/google/callback',
    'Then store the client secret that it shows: npm run secret -- google --stage try',
  ]);
  expect(describeNewProviders(providers, before, of)).toEqual([]);
});
