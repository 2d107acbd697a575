import { randomBytes } from 'node:crypto';
import {
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { noticedWithinMs } from '../../shared/runtime/signing-keys.ts';
import { CommandError, chooseStage, parseCommand, print, run, stageOptions } from './command.ts';
import { readOutputs } from './stage-outputs.ts';

/**
 * Until when (ms since 1970) there may be good tokens that the secret before the current one has signed. Nothing of a
 * secret is read. `undefined` when it is the first.
 */
const previousIsUsedUntil = async (
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

/** `npm run rotate-secret -- [--force] [--stage <name>] [--region <region>]` */
export const rotateSecret = async (args: readonly string[]): Promise<void> => {
  const { values } = parseCommand({
    args,
    options: { ...stageOptions, force: { type: 'boolean' } },
  });
  const stage = chooseStage(values);
  const { SigningSecretId, LongestTokenSeconds } = await readOutputs(stage);
  const client = new SecretsManagerClient({});
  const lifetimeMs = Number(LongestTokenSeconds) * 1_000;
  const usedUntil = await previousIsUsedUntil(client, SigningSecretId, lifetimeMs);
  if (!values.force && usedUntil !== undefined && usedUntil > Date.now()) {
    throw new CommandError(
      `There may be tokens of the secret before this one until ${new Date(usedUntil).toISOString()}: rotate it then, or end them now with --force.`,
    );
  }
  // Secrets Manager keeps the current one as the previous one, and lets that go which was the previous one.
  const SecretString = randomBytes(48).toString('base64url');
  await client.send(new PutSecretValueCommand({ SecretId: SigningSecretId, SecretString }));
  print(`The stage ${stage} signs with a new secret within five minutes.`);
  print('Tokens signed with the one before stay good.');
};

if (import.meta.main) await run(rotateSecret);
