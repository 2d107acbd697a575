import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { HandbillStack } from './stack.ts';
import { readStackSettings } from './stack-settings.ts';

/**
 * The CDK app: the stack of one stage, and the checks that it has to pass before it is a template.
 * @throws SettingError when a value of the context is unusable
 */
export const createApp = (props?: AppProps): { app: App; stack: HandbillStack } => {
  const app = new App(props);
  const stack = new HandbillStack(
    app,
    readStackSettings((name) => app.node.tryGetContext(name)),
  );
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, stack };
};
