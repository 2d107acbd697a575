import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { buildArtefacts } from '../build/artefacts.ts';
import type { AccessLogEntry } from './gateway.ts';
import { StartError } from './host/start-error.ts';
import type { LocalService } from './service.ts';

/** Where compiled code is kept between starts, which saves each nearly half of its time. */
const compileCache = join(import.meta.dirname, '../../node_modules/.cache/node');

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const logAnswer = ({ method, path, status, ms }: AccessLogEntry): void =>
  print(`${method} ${JSON.stringify(path).slice(1, -1)} ${status} ${ms} ms`);

const describe = ({
  url,
  snippetsUrl,
  dynamoDbUrl,
  s3Url,
  sqsUrl,
  mailUrl,
  accessKey,
  admin,
}: LocalService): string => {
  const password = admin.password === undefined ? '' : `, password ${admin.password}`;
  return [
    `Handbill is ready:  ${url}`,
    `  sign in           ${url}/login`,
    `  snippets          ${snippetsUrl}`,
    `  DynamoDB          ${dynamoDbUrl}`,
    `  S3                ${s3Url}`,
    `  SQS               ${sqsUrl}`,
    `  mail              ${mailUrl ?? 'off'}`,
    ...(accessKey
      ? [
          `  access key        ${accessKey.accessKeyId}`,
          `  secret key        ${accessKey.secretAccessKey}`,
        ]
      : []),
    `  super_admin       ${admin.email}${password}${admin.isNew ? ' (new)' : ''}`,
    'Press Ctrl-C to stop.',
  ].join('\n');
};

const main = async (): Promise<void> => {
  enableCompileCache(compileCache);
  await buildArtefacts();
  // What was imported before is not kept.
  const { startService } = await import('./service.ts');
  const service = await startService(logAnswer);
  let isStopping = false;
  const stop = async () => {
    // A second Ctrl-C doesn't wait for requests that are still running.
    if (isStopping) process.exit(1);
    isStopping = true;
    await service.close();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Last: whoever reads that it is ready may stop it at once.
  print(describe(service));
  // A process that is killed keeps nothing.
  flushCompileCache();
};

main().catch((error) => {
  const sentence =
    error instanceof StartError ? error.message : `Handbill could not start: ${error}`;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
});
