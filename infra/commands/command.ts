import { type ParseArgsConfig, parseArgs } from 'node:util';
import { AppError } from '../../shared/runtime/errors.ts';
import { SettingError } from '../../shared/runtime/settings.ts';
import { stageName } from '../stack/stack-name.ts';

/** A command that can't be carried out: the message is the one sentence that tells a person why. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(
    message: string,
    { cause, exitCode = 1 }: { readonly cause?: unknown; readonly exitCode?: number } = {},
  ) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** Writes a line for the person at the terminal. */
export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** What every command takes. */
export const stageOptions = { stage: { type: 'string' }, region: { type: 'string' } } as const;

/**
 * Node's `parseArgs`.
 * @throws CommandError when an argument is unknown or lacks its value
 */
export const parseCommand = <const C extends ParseArgsConfig>(
  config: C,
): ReturnType<typeof parseArgs<C>> => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new CommandError(`${String((error as Error).message).split('. ')[0]}.`);
  }
};

/**
 * The stage that a command is about. Its region becomes that of this process and of those that it starts.
 * @throws CommandError when no stage can have this name
 */
export const chooseStage = (values: { stage?: string; region?: string }): string => {
  const stage = stageName.schema.safeParse(values.stage);
  if (!stage.success) throw new CommandError(`Set --stage to ${stageName.rule}.`);
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  // The SDK knows this variable only.
  const region = values.region ?? AWS_REGION ?? AWS_DEFAULT_REGION;
  if (region !== undefined) process.env['AWS_REGION'] = region;
  return stage.data;
};

/** What a failure means to the person at the terminal, in one sentence. */
export const explain = (error: unknown): string => {
  if (error instanceof CommandError || error instanceof SettingError || error instanceof AppError) {
    return error.message;
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (/^Region is missing/.test(message)) return 'Say which region with --region or AWS_REGION.';
  if (
    name === 'CredentialsProviderError' ||
    /^(Expired|InvalidClientTokenId|Unrecognized)/.test(name)
  ) {
    return 'AWS credentials are missing or have expired: sign in, or set AWS_PROFILE.';
  }
  return `It failed: ${message}`;
};

/** Runs a command; when it fails, says why and ends with the error's exit code, which is 1 as a rule. */
export const run = async (command: (args: readonly string[]) => Promise<void>): Promise<void> => {
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = error instanceof CommandError ? error.exitCode : 1;
  }
};
