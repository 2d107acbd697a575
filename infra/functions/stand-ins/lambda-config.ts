/**
 * Replaces `loadConfig` of the SDK in the bundles. Lambda sets everything in the environment, and without this, each client
 * looks for files of configuration with its first call.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
// @ts-expect-error The file is the alias's own target, which has no declarations.
// biome-ignore lint/performance/noBarrelFile: It stands in for the whole package.
export * from '../../../node_modules/@smithy/core/dist-es/submodules/config/index.js';

interface Options<Value> {
  readonly environmentVariableSelector: (
    env: NodeJS.ProcessEnv,
    options: object,
  ) => Value | undefined;
  readonly default: Value | (() => Promise<Value>);
}

type Configuration = Readonly<Record<'signingName' | 'logger', unknown>>;

/** Creates the provider of a value: of the environment, else its default. */
export const loadConfig = <Value>(
  { environmentVariableSelector, default: otherwise }: Options<Value>,
  { signingName, logger }: Partial<Configuration> = {},
): (() => Promise<Value>) => {
  let value: Promise<Value> | undefined;
  const load = async () =>
    environmentVariableSelector(process.env, { signingName, logger }) ??
    (typeof otherwise === 'function' ? (otherwise as () => Promise<Value>)() : otherwise);
  return () => {
    value ??= load();
    return value;
  };
};

/** Returns the mode of defaults that a client has without any setting. */
export const resolveDefaultsModeConfig = () => async () => 'legacy';
