import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateSummaryCommand,
} from '@aws-sdk/client-cloudformation';
import {
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeFactors } from '../../../functions/api/auth/factors/change-factors.ts';
import { readToken, resetPassword } from '../../../functions/api/users/account/password-link.ts';
import * as users from '../../../functions/api/users/record/users.ts';
import { admin } from '../../../infra/commands/admin.ts';
import { CommandError, chooseStage, explain } from '../../../infra/commands/command.ts';
import { rotateSecret } from '../../../infra/commands/rotate-secret.ts';
import { readOutputs } from '../../../infra/commands/stage-outputs.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { isPassword } from '../../../shared/auth/passwords.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { useTable } from '../../support/table/table.ts';

const root = join(import.meta.dirname, '../../..');

const outputs = {
  ServiceUrl: 'https://abc.execute-api.eu-central-1.amazonaws.com',
  SnippetsUrl: 'https://def.execute-api.eu-central-1.amazonaws.com',
  TableName: 'handbill-test',
  FilesBucketName: 'handbill-files',
  SigningSecretId: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:s',
  LongestTokenSeconds: String(30 * 86_400),
  Ephemeral: 'false',
};

const cloudFormation = mockClient(CloudFormationClient);
const secretsManager = mockClient(SecretsManagerClient);

const stubStack = (stackName: string, stackOutputs: Partial<typeof outputs> = outputs): void => {
  const settings = { AUDIT_KEEP: { value: '30d', from: '-c' } };
  const Metadata = JSON.stringify({ Handbill: { settings, version: '0.1.0' } });
  cloudFormation.on(GetTemplateSummaryCommand, { StackName: stackName }).resolves({ Metadata });
  cloudFormation.on(DescribeStacksCommand, { StackName: stackName }).resolves({
    Stacks: [
      {
        StackName: stackName,
        CreationTime: new Date(),
        StackStatus: 'CREATE_COMPLETE',
        Outputs: Object.entries(stackOutputs).map(([OutputKey, OutputValue]) => ({
          OutputKey,
          OutputValue,
        })),
      },
    ],
  });
};

const environment = { ...process.env };
let printed: string[];

beforeEach(() => {
  cloudFormation.reset();
  secretsManager.reset();
  printed = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  cloudFormation.on(DescribeStacksCommand).rejects(
    Object.assign(new Error('Stack with id Handbill-x does not exist'), {
      name: 'ValidationError',
    }),
  );
});

afterEach(() => {
  vi.restoreAllMocks();
  for (const name of ['TABLE_NAME', 'PUBLIC_URL', 'AWS_REGION', 'AUDIT_KEEP']) {
    if (environment[name] === undefined) delete process.env[name];
    else process.env[name] = environment[name];
  }
});

describe('readOutputs', () => {
  it("returns the stack's outputs", async () => {
    stubStack('Handbill-dev');
    expect(await readOutputs('dev')).toEqual(outputs);
  });

  it('explains how to deploy a missing stage', async () => {
    await expect(readOutputs('dev')).rejects.toThrow(
      'Stage dev not found in this account and region. Run `npm run deploy -- --stage dev`.',
    );
  });

  it('names the missing output after a failed deployment', async () => {
    stubStack('Handbill-dev', { ServiceUrl: outputs.ServiceUrl });
    await expect(readOutputs('dev')).rejects.toThrow('Stage dev has no output SnippetsUrl.');
  });

  it("rethrows AWS's errors", async () => {
    const refused = Object.assign(new Error('not authorized'), { name: 'AccessDenied' });
    cloudFormation.on(DescribeStacksCommand).rejects(refused);
    await expect(readOutputs('dev')).rejects.toThrow('not authorized');
  });
});

describe('npm run rotate-secret', () => {
  const day = 86_400_000;
  const now = Date.parse('2026-11-21T12:00:00Z');
  const noticedMs = 5 * 60_000;

  /** Stubs the versions of the secret: the current one of this age, and others. */
  const stubVersions = (ageMs: number, ...others: readonly string[]) => {
    secretsManager.on(ListSecretVersionIdsCommand, { SecretId: outputs.SigningSecretId }).resolves({
      Versions: [
        ...others.map((stage) => ({ VersionStages: [stage], CreatedDate: new Date(0) })),
        { VersionStages: ['AWSCURRENT'], CreatedDate: new Date(now - ageMs) },
      ],
    });
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    stubStack('Handbill-prod');
    secretsManager.on(PutSecretValueCommand).resolves({});
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const puts = () => secretsManager.commandCalls(PutSecretValueCommand);

  it.each([
    ['was never rotated', 0, []],
    ['was rotated a token lifetime ago', 30 * day + noticedMs, ['AWSPREVIOUS']],
    ['has only a pending version besides', 0, ['AWSPENDING']],
  ] as const)('rotates a secret that %s', async (_, ageMs, others) => {
    stubVersions(ageMs, ...others);
    await rotateSecret([]);
    expect(puts()).toHaveLength(1);
  });

  it('fails while tokens of the previous secret may be valid, unless forced', async () => {
    stubVersions(30 * day + noticedMs - 1, 'AWSPREVIOUS');
    await expect(rotateSecret([])).rejects.toThrow(
      'The previous secret is valid until 2026-11-21T12:00:00.001Z. Rotate after that, or use --force to revoke it now.',
    );
    expect(puts()).toEqual([]);
    expect(printed).toEqual([]);
    await rotateSecret(['--force']);
    expect(puts()).toHaveLength(1);
  });

  it("uses the stage's token lifetime", async () => {
    stubStack('Handbill-prod', { ...outputs, LongestTokenSeconds: '3600' });
    stubVersions(3_600_000 + noticedMs, 'AWSPREVIOUS');
    await rotateSecret([]);
    stubVersions(3_600_000 + noticedMs - 1, 'AWSPREVIOUS');
    await expect(rotateSecret([])).rejects.toThrow(CommandError);
    expect(puts()).toHaveLength(1);
  });

  it('stores a new random value each time', async () => {
    stubVersions(31 * day, 'AWSPREVIOUS');
    await rotateSecret([]);
    await rotateSecret([]);
    const inputs = secretsManager
      .commandCalls(PutSecretValueCommand)
      .map(({ args: [command] }) => command.input);
    expect(inputs).toEqual([
      { SecretId: outputs.SigningSecretId, SecretString: expect.stringMatching(/^[\w-]{64}$/) },
      { SecretId: outputs.SigningSecretId, SecretString: expect.stringMatching(/^[\w-]{64}$/) },
    ]);
    expect(inputs[0]?.SecretString).not.toBe(inputs[1]?.SecretString);
    expect(printed.join('')).not.toContain(inputs[0]?.SecretString);
  });
});

describe('npm run admin', () => {
  useTable();

  it('creates a super_admin and prints the password once', async () => {
    stubStack('Handbill-dev');
    await admin(['Root@example.com', '--stage', 'dev']);
    const [, password = ''] =
      printed.join('').match(/root@example\.com created, password (\S+)/) ?? [];
    const user = await users.findByEmail('root@example.com');
    expect(user).toMatchObject({ role: 'super_admin', status: 'active' });
    expect(await isPassword(password, user?.passwordHash)).toBe(true);
    // Its audit entry lasts as long as the stage's others.
    expect(getSetting('AUDIT_KEEP')).toBe(30 * 86_400_000);
  });

  it('prints a password reset link for an existing account', async () => {
    stubStack('Handbill-prod');
    await admin(['forgetful@example.com']);
    printed.length = 0;
    await admin([' Forgetful@example.com ', '--reset']);
    const [, token = ''] =
      printed.join('').match(/: https:\/\/abc\.execute-api\.\S+\/reset\?token=(\S+)\n/) ?? [];
    const client = { ip: '192.0.2.1', userAgent: undefined };
    const recorder = systemRecorder('password.reset');
    await resetPassword(token, 'battery staple', ['reset'], client, recorder);
    const user = await users.findByEmail('forgetful@example.com');
    expect(await isPassword('battery staple', user?.passwordHash)).toBe(true);
    await expect(admin(['nobody@example.com', '--reset'])).rejects.toThrow(
      'nobody@example.com has no account.',
    );
  });

  it('removes the second factors of who has lost all of them, and says so', async () => {
    stubStack('Handbill-prod');
    await admin(['locked-out@example.com']);
    const { id } = (await users.findByEmail('locked-out@example.com')) ?? expect.unreachable();
    const totp = { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', createdAt: '', lastStep: 0 };
    await changeFactors(id, () => ({ factors: { totp } }), systemRecorder('factor.create'));
    expect((await users.get(id)).secondFactors).toEqual(['totp']);
    printed.length = 0;
    await admin(['locked-out@example.com', '--reset']);
    expect(printed.join('')).toMatch(
      /^Second factors and recovery codes removed\. The password alone signs in until one is set up again\.\nPassword reset link/,
    );
    expect((await users.get(id)).secondFactors).toBeUndefined();
    expect(await entriesAbout(`user:${id}`)).toContainEqual(
      expect.objectContaining({ action: 'factor.reset', before: { secondFactors: ['totp'] } }),
    );
    printed.length = 0;
    await admin(['locked-out@example.com', '--reset']);
    expect(printed.join('')).toMatch(/^Password reset link/);
  });

  it('prints links that set a password and sign in where passwords are off', async () => {
    stubStack('Handbill-prod');
    vi.stubEnv('PASSWORD_SIGN_IN', 'off');
    await admin(['no-password@example.com']);
    expect(printed.join('')).toMatch(/created, link that signs in once .*\/reset\?token=/);
    printed.length = 0;
    await admin(['no-password@example.com', '--reset']);
    const [, token = ''] = printed.join('').match(/\/reset\?token=(\S+)\n/) ?? [];
    expect(await readToken(token, ['reset'])).toMatchObject({ kind: 'reset', isProof: true });
  });

  it('does not change an existing account', async () => {
    stubStack('Handbill-prod');
    await admin(['again@example.com']);
    const before = await users.findByEmail('again@example.com');
    await expect(admin(['again@example.com'])).rejects.toThrow(
      'again@example.com already has an account. No changes made.',
    );
    expect(await users.findByEmail('again@example.com')).toEqual(before);
  });

  it.each([[[]], [['root']], [['a@example.com', 'b@example.com']]])(
    'rejects the arguments %j',
    async (args) => {
      await expect(admin(args)).rejects.toThrow('Usage: npm run admin -- <email>');
    },
  );
});

describe('chooseStage', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('takes an empty AWS_REGION as none', () => {
    vi.stubEnv('AWS_REGION', '');
    vi.stubEnv('AWS_DEFAULT_REGION', 'eu-west-1');
    chooseStage({});
    expect(process.env['AWS_REGION']).toBe('eu-west-1');
    vi.stubEnv('AWS_REGION', '');
    vi.stubEnv('AWS_DEFAULT_REGION', '');
    chooseStage({});
    expect(process.env['AWS_REGION']).toBeUndefined();
  });
});

describe('explain', () => {
  const noCredentials =
    'AWS credentials are missing, wrong or expired, or the account hasn’t enabled the region. Sign in, or set AWS_PROFILE.';
  const noRegion = 'Set the region with --region or AWS_REGION, such as eu-central-1.';
  const createError = (name: string, message: string) =>
    Object.assign(new Error(message), { name });

  it.each([
    [new CommandError('Canceled.'), 'Canceled.'],
    [createError('Error', 'Region is missing'), noRegion],
    [createError('Error', 'Region not accepted: region="eu central" is no host'), noRegion],
    [
      createError('Error', 'getaddrinfo ENOTFOUND cloudformation.eu-centrl-1.amazonaws.com'),
      'cloudformation.eu-centrl-1.amazonaws.com isn’t found. Check the region and the network.',
    ],
    [createError('SignatureDoesNotMatch', 'The signature does not match'), noCredentials],
    [
      createError('CredentialsProviderError', 'Could not load credentials from any providers'),
      noCredentials,
    ],
    [createError('ExpiredToken', 'The security token is expired'), noCredentials],
    [createError('AccessDenied', 'not authorized'), 'Command failed: not authorized'],
  ])('describes %s', (error, sentence) => {
    expect(explain(error)).toBe(sentence);
  });

  it('is printed by a command that fails, which exits with code 1', async () => {
    const script = join(root, 'infra/commands/destroy.ts');
    const run = promisify(execFile)(process.execPath, [script, '--stage', 'No']);
    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'Set --stage to a name of at most 20 lowercase letters, digits and hyphens, such as prod or dev.\n',
    });
  });
});
