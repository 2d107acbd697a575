import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { rollback } from '../../../infra/commands/rollback.ts';
import { readRemembered } from '../../../infra/commands/settings/remembered.ts';
import { type StandIn, startStandIn } from '../../support/cloudformation/stand-in.ts';
import { compileCache, launch, readAddresses, waitUntilReady } from '../../support/run/process.ts';

const root = join(import.meta.dirname, '../../..');
const workspaces = ['infra/api-types', 'infra/cli', 'infra/local/aws', 'tests/lab'];

/** A stack of a stage, played through with the real CDK: each deployment takes a minute of CPU time. */
let standIn: StandIn;
let service: ReturnType<typeof launch>;
let folder: string;
let environment: Record<string, string>;
const transcript: string[] = ['# A first deployment, on the stand-in of CloudFormation', ''];

/** Leaves out what the CDK says of each asset and resource. */
const shorten = (output: string): string => {
  let left = 0;
  const lines: string[] = [];
  for (const line of output.split('\n')) {
    if (/^Handbill-prod(: (start|success|creating)| \| )|^Bundling asset|^\s*$/.test(line))
      left += 1;
    else lines.push(line);
  }
  return [...lines, `(${left} lines of the CDK about assets and resources left out)`].join('\n');
};

/** Runs a command as a process, with answers for its questions. */
const runIn = async (at: string, title: string, name: string, args: string[], input = '') => {
  const script = join(at, 'infra/commands', `${name}.ts`);
  const child = spawn(process.execPath, [script, ...args], { cwd: at, env: environment });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    output += text;
  });
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  transcript.push(`## ${title}`, '', '```', `$ npm run ${name} -- ${args.join(' ')}`);
  if (input !== '') transcript.push(`(answers: ${input.trim().replaceAll('\n', ', ')})`);
  transcript.push(shorten(output), `exit code ${code}`, '```', '');
  const file = process.env['TRANSCRIPT'];
  if (file) await writeFile(file, transcript.join('\n'));
  return { code, output };
};

const run = (title: string, name: string, args: string[], input?: string) =>
  runIn(root, title, name, args, input);

const stack = () => standIn.stacks.find('Handbill-prod');

beforeAll(async () => {
  standIn = await startStandIn();
  folder = await mkdtemp(join(tmpdir(), 'handbill-'));
  service = launch({ DATA_DIR: folder, REGISTRATION: 'closed' });
  await waitUntilReady(service);
  const { url, dynamoDbUrl, accessKey } = readAddresses(service.output());
  Object.assign(standIn.account, { apiUrl: url, tableName: 'handbill' });
  environment = {
    ...compileCache,
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    // Other synths of this checkout have theirs.
    CDK_OUTPUT: join(folder, 'cdk.out'),
    ...standIn.environment,
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDbUrl,
    AWS_ACCESS_KEY_ID: accessKey.accessKeyId,
    AWS_SECRET_ACCESS_KEY: accessKey.secretAccessKey,
  };
});
afterAll(async () => {
  service.child.kill();
  await service.exited;
  await standIn.close();
  await rm(folder, { recursive: true });
});

const settings = ['-c', 'REGISTRATION=closed', '--yes'];

it('fails at first: a name is taken', async () => {
  standIn.account.refuse = ({ action, type }) =>
    action === 'create' && type === 'AWS::CloudWatch::Dashboard'
      ? 'Resource of type AWS::CloudWatch::Dashboard with identifier handbill-prod already exists.'
      : undefined;
  const { code, output } = await run('A name is taken', 'deploy', settings);
  expect(code).toBe(1);
  expect(output).toContain('Nothing runs yet. Correct the reasons above and run the command again');
  expect(stack()).toMatchObject({ status: 'ROLLBACK_COMPLETE', isProtected: false });
  standIn.account.refuse = () => undefined;
});

it('is repeated: says why it failed and what stays, deletes the rest, deploys, protects and tests', async () => {
  const { code, output } = await run('The same again', 'deploy', settings);
  expect(output).toContain('The first deployment of stage prod failed (ROLLBACK_COMPLETE):');
  expect(output).toMatch(
    /Dashboard\w* \(AWS::CloudWatch::Dashboard\): Resource of type .* already exists\./,
  );
  expect(output).toContain('existingTable=handbill');
  expect(output).toContain('Smoke test passed');
  expect(code).toBe(0);
  expect(stack()).toMatchObject({ status: 'CREATE_COMPLETE', isProtected: true });
});

it('takes a changed setting, and keeps the others', async () => {
  const args = ['-c', 'CURRENCY=USD', '--yes'];
  const { code, output } = await run('An upgrade with a changed setting', 'deploy', args);
  expect(output).toMatch(/^ {2}CURRENCY +\S.* → USD +-c$/m);
  expect(output).not.toContain('REGISTRATION');
  expect(code).toBe(0);
  expect(stack()).toMatchObject({ status: 'UPDATE_COMPLETE', isProtected: true });
});

it('rolls an update back that fails, and runs as before', async () => {
  standIn.account.refuse = ({ action, type }) =>
    action === 'update' && type === 'AWS::Lambda::Function' ? 'Rate exceeded' : undefined;
  const args = ['-c', 'CURRENCY=CHF', '--yes'];
  const { code, output } = await run('An update that fails', 'deploy', args);
  standIn.account.refuse = () => undefined;
  expect(code).toBe(1);
  expect(output).toMatch(/Stage prod runs as before|rolls the stack back first/);
});

it('goes back to a commit, from a checkout of its own, with the settings it remembers', async () => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const npm = async (at: string, args: readonly string[]) => {
    // Packages are those of this checkout.
    if (args[0] === 'ci') {
      for (const place of ['', ...workspaces]) {
        const packages = join(root, place, 'node_modules');
        if (existsSync(packages)) await symlink(packages, join(at, place, 'node_modules'));
      }
      return;
    }
    const { code, output } = await runIn(
      at,
      'Back to a commit',
      'deploy',
      args.slice(3) as string[],
    );
    expect(output).toContain('Smoke test passed');
    expect(code).toBe(0);
  };
  await rollback(['--to', 'HEAD', '--yes'], { npm });
  expect((await readRemembered('prod'))?.settings).toMatchObject({
    REGISTRATION: { value: 'closed', from: '-c' },
    CURRENCY: { value: 'USD', from: '-c' },
  });
  vi.unstubAllEnvs();
  expect(stack()?.status).toMatch(/^UPDATE_(ROLLBACK_)?COMPLETE$/);
});

it('is destroyed, and says what stays', async () => {
  const { code, output } = await run('The end', 'destroy', [], 'prod\n');
  expect(code).toBe(0);
  for (const kind of ['table', 'bucket', 'secret'])
    expect(output).toMatch(new RegExp(`^  ${kind}`, 'm'));
  expect(stack()).toBeUndefined();
  const left = standIn.account.resources.map(({ type }) => type).toSorted();
  expect(left).toContain('AWS::DynamoDB::GlobalTable');
});
