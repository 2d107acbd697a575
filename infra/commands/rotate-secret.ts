import { randomBytes } from 'node:crypto';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { chosenStage, parseCommand, print, run, stageOptions } from './command.ts';
import { stageOutputs } from './stage-outputs.ts';

/** Puts a new random secret in the place of the current one, which Secrets Manager keeps as the previous one. */
export const putNewSecret = async (SecretId: string): Promise<void> => {
  const SecretString = randomBytes(48).toString('base64url');
  await new SecretsManagerClient({}).send(new PutSecretValueCommand({ SecretId, SecretString }));
};

/** `npm run rotate-secret -- [--stage <name>] [--region <region>]` */
export const rotateSecret = async (args: readonly string[]): Promise<void> => {
  const stage = chosenStage(parseCommand({ args, options: stageOptions }).values);
  const { SigningSecretId } = await stageOutputs(stage);
  await putNewSecret(SigningSecretId);
  print(`The stage ${stage} signs with a new secret within five minutes.`);
  print(
    'Tokens signed with the one before stay good; rotating again ends those that are left of them.',
  );
};

if (import.meta.main) await run(rotateSecret);
