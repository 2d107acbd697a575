import { randomBytes } from 'node:crypto';
import {
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { noticedWithinMs } from '../../shared/runtime/signing-keys.ts';
import {
  CommandError,
  chooseStage,
  parseCommand,
  print,
  run,
  stageOptions,
  stageUsage,
} from './command.ts';
import { readOutputs } from './stage-outputs.ts';

/**
 * Returns until when (ms since the epoch) tokens signed with the previous secret may be valid, or `undefined` without a
 * previous secret. Reads no secret value.
 */
const getPreviousExpiry = async (
  client: SecretsManagerClient,
  SecretId: string,
  lifetimeMs: number,
): Promise<number | undefined> => {
  const { Versions = [] } = await client.send(new ListSecretVersionIdsCommand({ SecretId }));
  const inStage = (stage: string) =>
    Versions.find(({ VersionStages }) => VersionStages?.includes(stage));
  const replacedAt = inStage('AWSPREVIOUS') && inStage('AWSCURRENT')?.CreatedDate;
  return replacedAt && replacedAt.getTime() + noticedWithinMs + lifetimeMs;
};

const usage = `Usage: npm run rotate-secret -- [--force] [--stage <name>] [--region <region>]
Replaces the secret that signs tokens. Existing sessions stay valid.
  --force            also if tokens of the secret before may still be valid: it ends them
${stageUsage}`;

/** Runs `npm run rotate-secret -- [--force] [--stage <name>] [--region <region>]`. */
export const rotateSecret = async (args: readonly string[]): Promise<void> => {
  const { values } = parseCommand(usage, {
    args,
    options: { ...stageOptions, force: { type: 'boolean' } },
  });
  const stage = chooseStage(values);
  const { SigningSecretId, LongestTokenSeconds } = await readOutputs(stage);
  const client = new SecretsManagerClient({});
  const lifetimeMs = Number(LongestTokenSeconds) * 1_000;
  const validUntil = await getPreviousExpiry(client, SigningSecretId, lifetimeMs);
  if (!values.force && validUntil !== undefined && validUntil > Date.now()) {
    throw new CommandError(
      `The previous secret is valid until ${new Date(validUntil).toISOString()}. Rotate after that, or use --force to revoke it now.`,
    );
  }
  // Secrets Manager keeps only two versions: the current one replaces the previous one.
  const SecretString = randomBytes(48).toString('base64url');
  await client.send(new PutSecretValueCommand({ SecretId: SigningSecretId, SecretString }));
  print(`Stage ${stage} signs with a new secret within five minutes.`);
  print('Existing tokens stay valid.');
};

if (import.meta.main) await run(rotateSecret);
