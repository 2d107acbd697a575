import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { SettingError } from '../../shared/runtime/settings.ts';
import { packageVersion } from '../build/package-version.ts';
import { rememberPrevious } from './releases.ts';
import { type Choices, chooseAll, fromContext, toText, toValues } from './settings/choices.ts';
import { assertKnown, isKnown } from './settings/known-names.ts';
import { pickProviderValues } from './settings/provider-values.ts';
import type { SettingsFile } from './settings/settings-file.ts';
import { HandbillStack } from './stack.ts';
import { stageName } from './stack-name.ts';
import { readStackSettings } from './stack-settings.ts';

/** What the app knows besides its context. */
interface Surroundings {
  /** Reads the settings of a stage from `handbill.json`. `cdk` alone needs them; `npm run deploy` passes what it has read. */
  readonly readFile?: (stage: string) => SettingsFile | undefined;
  /** The commit that is deployed. */
  readonly commit?: string | undefined;
}

/** Names of the CDK's own context have other characters. */
const isSettingLike = (name: string): boolean => /^\w+$/.test(name) && name !== 'stage';

/** Returns the settings that `npm run deploy` passes, and for `cdk` alone those of `-c` and of the file. */
const choose = (
  context: Readonly<Record<string, unknown>>,
  stage: string,
  readFile: NonNullable<Surroundings['readFile']>,
): Choices => {
  const passed = fromContext(context);
  if (passed) {
    const misplaced = Object.keys(context).find(isKnown);
    if (misplaced === undefined) return passed;
    throw new SettingError(
      `Move ${misplaced} from the context of cdk.json or ~/.cdk.json to handbill.json, or remove it.`,
    );
  }
  const given = Object.entries(context).filter(([name]) => isSettingLike(name));
  for (const [name] of given) assertKnown(name);
  return {
    ...chooseAll(readFile(stage)?.values ?? {}, 'handbill.json'),
    ...chooseAll(Object.fromEntries(given.map(([name, value]) => [name, toText(value)])), '-c'),
  };
};

/**
 * Creates the CDK app with the stack of one stage, and the checks that the stack must pass.
 * @throws SettingError for an unknown setting or an invalid value
 */
export const createApp = (
  props?: AppProps,
  { readFile = () => undefined, commit }: Surroundings = {},
): { app: App; stack: HandbillStack } => {
  const app = new App(props);
  const context = app.node.getAllContext() as Readonly<Record<string, unknown>>;
  const stage = stageName.schema.safeParse(context['stage']);
  if (!stage.success) throw new SettingError(`Set stage to ${stageName.rule}.`);
  const settings = choose(context, stage.data, readFile);
  const stack = new HandbillStack(
    app,
    readStackSettings(
      (name) => (name === 'stage' ? stage.data : settings[name]?.value),
      process.env['CDK_DEFAULT_REGION'],
      pickProviderValues(toValues(settings)),
    ),
    { settings, version: packageVersion, ...(commit !== undefined && { commit }) },
  );
  rememberPrevious(stack, commit);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, stack };
};
