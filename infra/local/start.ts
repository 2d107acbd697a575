import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildArtefacts } from '../build/artefacts.ts';
import { StartError } from './aws/host/start-error.ts';
import type { AccessLogEntry } from './gateway.ts';
import type { LocalService } from './service.ts';

/** Caches compiled code, which nearly halves the start time. */
const compileCache = join(import.meta.dirname, '../../node_modules/.cache/node');

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const logMs = 100;
let lines: string[] = [];

const printLines = (): void => {
  if (lines.length > 0) print(lines.join('\n'));
  lines = [];
};

/** Logs a response, together with others, because writing a line takes as long as some requests. */
const logResponse = ({ method, path, status, ms }: AccessLogEntry): void => {
  if (lines.length === 0) setTimeout(printLines, logMs).unref();
  lines.push(`${method} ${JSON.stringify(path).slice(1, -1)} ${status} ${ms} ms`);
};

interface Account {
  readonly role: string;
  readonly email: string;
  readonly appKey?: string;
}

/** Says what doesn't work behind a proxy yet. */
const describeFiles = (url: string, filesUrl: string | undefined): string[] => {
  if (filesUrl !== undefined) return [`  Files       ${filesUrl}`];
  if (/\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(url)) return [];
  return ['  Files       on this machine only; set FILES_URL (infra/README.md)'];
};

const describe = (
  { url, snippetsUrl, filesUrl, dynamoDbUrl, s3Url, mailUrl, accessKey, admin }: LocalService,
  others: readonly Account[],
): string => {
  // Where passwords are off, a provider or a code by email signs in who has this address.
  const isUsed = admin.password !== undefined && process.env['PASSWORD_SIGN_IN'] !== 'off';
  const password = isUsed ? `, password ${admin.password}` : '';
  return [
    `Handbill is running at ${url}`,
    `  Sign in     ${url}/login`,
    `  Snippets    ${snippetsUrl}`,
    ...describeFiles(url, filesUrl),
    `  DynamoDB    ${dynamoDbUrl}`,
    `  S3          ${s3Url}`,
    `  Email       ${mailUrl ?? 'off'}`,
    ...(accessKey
      ? [`  Access key  ${accessKey.accessKeyId}`, `  Secret key  ${accessKey.secretAccessKey}`]
      : []),
    `  Admin       ${admin.email}${password}${admin.isNew ? ' (new)' : ''}`,
    ...others.map(
      ({ role, email, appKey }) =>
        `  ${role.padEnd(12)}${email}${password}${appKey === undefined ? '' : `, key of the authenticator app ${appKey}`}`,
    ),
    'Press Ctrl+C to stop.',
  ].join('\n');
};

const usage = `Usage: npm start -- [--demo]
Starts the service with its own engines on this machine; data stays in .handbill.
  --demo  shows it with example data, which it keeps apart in .handbill-demo
Settings are environment variables, such as PORT=8080 (README.md#configure).`;

const readArguments = () => {
  try {
    const help = { type: 'boolean', short: 'h' } as const;
    return parseArgs({ options: { demo: { type: 'boolean' }, help } }).values;
  } catch {
    throw new StartError(`Start with no options, or with --demo.\n${usage}`);
  }
};

/** Starts the service with the data of the demo. */
const startDemo = async (): Promise<{ service: LocalService; others: readonly Account[] }> => {
  const { env } = process;
  const external = Object.keys(env).find(
    (name) => env[name] && name.startsWith('AWS_ENDPOINT_URL'),
  );
  if (external) throw new StartError(`Unset ${external}. The demo fills only local data.`);
  env['DATA_DIR'] ||= '.handbill-demo';
  // Everyone in it is of one team: they find each other by name, and shares can be for all of them.
  env['REGISTRATION'] ||= 'invite';
  if (!Object.keys(env).some((name) => name.startsWith('OIDC_'))) {
    const { startDemoIssuer } = await import('./demo/demo-issuer.ts');
    const port = Number(env['PORT'] || 3000);
    Object.assign(env, await startDemoIssuer(port === 0 ? 0 : port + 4));
  }
  const { prepareDemo } = await import('./demo/demo.ts');
  const demo = await prepareDemo(env['DATA_DIR']);
  const { accounts, password } = demo;
  const [{ email }, ...others] = accounts;
  Object.assign(env, { ADMIN_EMAIL: email, ADMIN_PASSWORD: password });
  try {
    const { startService } = await import('./service.ts');
    let isFilled = false;
    const service = await startService((entry) => isFilled && logResponse(entry), demo.fill);
    isFilled = true;
    return { service: { ...service, admin: { ...service.admin, email, password } }, others };
  } finally {
    demo.close();
  }
};

const main = async (): Promise<void> => {
  const { demo, help } = readArguments();
  if (help) {
    print(usage);
    return;
  }
  process.on('exit', printLines);
  enableCompileCache(compileCache);
  await buildArtefacts();
  // The cache covers only modules that are imported after it is enabled.
  const { findMistyped } = await import('./mistyped.ts');
  for (const sentence of findMistyped(process.env)) process.stderr.write(`${sentence}\n`);
  const { startService } = await import('./service.ts');
  const { service, others } = demo
    ? await startDemo()
    : { service: await startService(logResponse), others: [] };
  const { describeUnknownRoles } = await import('../stack/settings/required-roles.ts');
  for (const sentence of describeUnknownRoles(process.env)) {
    process.stderr.write(`${sentence}\n`);
  }
  let isStopping = false;
  const stop = async () => {
    // A second Ctrl+C doesn't wait for running requests.
    if (isStopping) process.exit(1);
    isStopping = true;
    await service.close();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Last, because a script may stop the service as soon as it reads this.
  print(describe(service, others));
  // A killed process doesn't write its cache.
  flushCompileCache();
};

main().catch((error) => {
  const message = error instanceof StartError ? error.message : `Handbill can’t start: ${error}`;
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
