import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';

// Runs before each test file of a process. The files share only the packages, which take a second to load and longer to
// warm up.

interface Process {
  readonly env: NodeJS.ProcessEnv;
  readonly console: Console;
  readonly stdout: typeof process.stdout.write;
  readonly stderr: typeof process.stderr.write;
  readonly scrypt: typeof crypto.scrypt;
}

const asStarted = Symbol.for('handbill.tests.process');
const kept = globalThis as { [asStarted]?: Process };

/** The process state that a test file may change, as before the first file. */
const first: Process = kept[asStarted] ?? {
  env: { ...process.env },
  console,
  stdout: process.stdout.write,
  stderr: process.stderr.write,
  scrypt: crypto.scrypt,
};
kept[asStarted] = first;

const restoreEnvironment = (): void => {
  for (const name of Object.keys(process.env)) {
    if (!(name in first.env)) delete process.env[name];
  }
  Object.assign(process.env, first.env);
};

/** Removes the mocks that `mockClient` added to a class of a package. */
const restoreClients = (): void => {
  const classes = [
    CloudFormationClient,
    DynamoDBClient,
    DynamoDBDocumentClient,
    LambdaClient,
    S3Client,
    SecretsManagerClient,
    SESv2Client,
    SQSClient,
  ];
  for (const { prototype } of classes) {
    (prototype.send as { restore?: () => void }).restore?.();
  }
};

restoreEnvironment();
restoreClients();
globalThis.console = first.console;
process.stdout.write = first.stdout;
process.stderr.write = first.stderr;
crypto.scrypt = first.scrypt;
syncBuiltinESMExports();
vi.useRealTimers();
vi.unstubAllGlobals();
// Project and helper modules are loaded again, so that files share no state.
vi.resetModules();
