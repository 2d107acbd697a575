import { type ParseArgsConfig, parseArgs } from 'node:util';
import { AppError } from '../../shared/runtime/errors.ts';
import { SettingError } from '../../shared/runtime/settings.ts';
import { toVisible } from '../../shared/text/visible.ts';
import { stageName } from '../stack/stack-name.ts';

/** The failure of a command. Its message is shown in the terminal. */
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

/** Ends a command that was only asked how it is used. */
export class HelpRequested extends Error {
  override readonly name = 'HelpRequested';
}

/** Prints a line to the terminal. */
export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Tells what is wrong. A terminal doesn't obey what a file or a service has put into it. */
export const printProblem = (text: string): void => {
  process.stderr.write(`${process.stderr.isTTY ? toVisible(text) : text}\n`);
};

/** The options of every command that works on a stage. */
export const stageOptions = { stage: { type: 'string' }, region: { type: 'string' } } as const;

/** Describes `stageOptions` in a usage. */
export const stageUsage = `  --stage <name>     the stage; the default is prod
  --region <region>  its region; the default is AWS_REGION`;

/**
 * Parses the arguments with Node's `parseArgs`. Every command takes `--help` and `-h`.
 * @throws CommandError with the usage for an unknown argument or a missing value; HelpRequested with it if it is asked for
 */
export const parseCommand = <const C extends ParseArgsConfig>(
  usage: string,
  config: C,
): ReturnType<typeof parseArgs<C>> => {
  const help = { type: 'boolean', short: 'h' } as const;
  const parse = (): { readonly values: { readonly help?: unknown } } => {
    try {
      return parseArgs({ ...config, options: { ...config.options, help } });
    } catch (error) {
      const [problem] = String((error as Error).message).split(/\.\s/);
      throw new CommandError(`${problem?.replace(/\.$/, '')}.\n${usage}`);
    }
  };
  const parsed = parse();
  if (parsed.values.help) throw new HelpRequested(usage);
  return parsed as ReturnType<typeof parseArgs<C>>;
};

/**
 * Returns the stage, and sets the region of this process and its child processes.
 * @throws CommandError for an invalid stage name
 */
export const chooseStage = (values: { stage?: string; region?: string }): string => {
  const stage = stageName.schema.safeParse(values.stage);
  if (!stage.success) throw new CommandError(`Set --stage to ${stageName.rule}.`);
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  // An empty variable counts as unset. The SDK reads AWS_REGION only.
  const region = values.region || AWS_REGION || AWS_DEFAULT_REGION;
  if (region) process.env['AWS_REGION'] = region;
  else delete process.env['AWS_REGION'];
  return stage.data;
};

/** Returns the message to show for a failure. */
export const explain = (error: unknown): string => {
  if (error instanceof CommandError || error instanceof SettingError || error instanceof AppError) {
    return error.message;
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (/^Region (is missing|not accepted)/.test(message)) {
    return 'Set the region with --region or AWS_REGION, such as eu-central-1.';
  }
  const [, host] = /^getaddrinfo E\w+ (\S+)/.exec(message) ?? [];
  if (host !== undefined) return `${host} isn’t found. Check the region and the network.`;
  if (
    name === 'CredentialsProviderError' ||
    /^(Expired|InvalidClientTokenId|Unrecognized|SignatureDoesNotMatch)/.test(name)
  ) {
    return 'AWS credentials are missing, wrong or expired, or the account hasn’t enabled the region. Sign in, or set AWS_PROFILE.';
  }
  return `Command failed: ${message}`;
};

/** Runs a command, or prints its usage. On failure prints the message and sets the error's exit code, 1 by default. */
export const run = async (command: (args: readonly string[]) => Promise<void>): Promise<void> => {
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    if (error instanceof HelpRequested) {
      print(error.message);
      return;
    }
    printProblem(explain(error));
    process.exitCode = error instanceof CommandError ? error.exitCode : 1;
  }
};
