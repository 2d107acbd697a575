import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { HandbillStack } from './stack.ts';
import { readStackSettings } from './stack-settings.ts';

/**
 * Creates the CDK app with the stack of one stage, and the checks that the stack must pass.
 * @throws SettingError for an invalid value in the context
 */
export const createApp = (props?: AppProps): { app: App; stack: HandbillStack } => {
  const app = new App(props);
  const stack = new HandbillStack(
    app,
    readStackSettings((name) => app.node.tryGetContext(name), process.env['CDK_DEFAULT_REGION']),
  );
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, stack };
};
