import { GetTemplateSummaryCommand } from '@aws-sdk/client-cloudformation';
import { type Deployment, readDeployment } from '../../stack/settings/memory.ts';
import { getStackName } from '../../stack/stack-name.ts';
import { CommandError } from '../command.ts';
import { createCloudFormation } from '../stack-state.ts';

/**
 * Returns what the stack of a stage remembers; `undefined` without a stack.
 * @throws CommandError if it can't be read: a deployment would forget it
 */
export const readRemembered = async (stage: string): Promise<Deployment | undefined> => {
  try {
    const { Metadata } = await createCloudFormation().send(
      new GetTemplateSummaryCommand({ StackName: getStackName(stage) }),
    );
    return readDeployment(Metadata);
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'ValidationError' && /does not exist|REVIEW_IN_PROGRESS/.test(message))
      return undefined;
    if (/^AccessDenied/.test(name)) {
      throw new CommandError(
        `The settings that stage ${stage} remembers can’t be read: allow your credentials cloudformation:GetTemplateSummary.`,
        { cause: error },
      );
    }
    throw error;
  }
};

/** Lets the service's code in this process work by the service's settings of a stage, such as how long audit entries last. */
export const useRemembered = async (stage: string): Promise<void> => {
  const { settings = {} } = (await readRemembered(stage)) ?? {};
  for (const [name, { value }] of Object.entries(settings)) {
    if (/^[A-Z][A-Z0-9_]*$/.test(name) && value !== '') process.env[name] = value;
  }
};
