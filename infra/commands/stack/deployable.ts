import type { Stack } from '@aws-sdk/client-cloudformation';
import { type Ask, isConfirmed } from '../ask.ts';
import { CommandError, print } from '../command.ts';
import { findStack, getState } from '../stack-state.ts';
import { removeStack, rollBackUpdate } from './changes.ts';
import { describeFailures, readFailures } from './failures.ts';
import { describeRetained, readRetained } from './retained.ts';

/** How a command decides: by questions, or as `--yes` does. */
export interface Decider {
  readonly isUnattended: boolean;
  readonly confirm: Ask;
}

const decide = async (question: string, { isUnattended, confirm }: Decider): Promise<void> => {
  if (isUnattended || (await isConfirmed(question, confirm))) return;
  throw new CommandError('Canceled. No changes made.');
};

const printFailures = async (stack: Stack, what: string): Promise<void> => {
  const failures = await readFailures(stack.StackId ?? '');
  print([`${what} (${stack.StackStatus}):`, ...describeFailures(failures)].join('\n'));
};

/** Deletes a stack that can only be deleted, after a yes. */
const startAgain = async (stack: Stack, what: string, decider: Decider): Promise<void> => {
  await printFailures(stack, what);
  const retained = await readRetained(stack);
  print(describeRetained(retained));
  if (retained.length > 0 && !decider.isUnattended) {
    print('To use what is retained, answer no and deploy with these settings.');
  }
  await decide(`Delete the stack ${stack.StackName} and deploy it again?`, decider);
  await removeStack(stack);
};

/** Ends a failed update, after a yes. */
const endUpdate = async (stack: Stack, decider: Decider): Promise<void> => {
  await printFailures(stack, 'The deployment before failed');
  await decide(`Roll the stack ${stack.StackName} back, and then deploy?`, decider);
  await rollBackUpdate(stack);
};

/**
 * Makes the stack of a stage deployable after a failure, and says what failed: what was never created or not completely
 * deleted is deleted, a failed update is rolled back. Returns whether the deployment creates the stack.
 * @throws CommandError while another operation runs, after a no, or if people have to decide
 */
export const makeDeployable = async (stage: string, decider: Decider): Promise<boolean> => {
  const stack = await findStack(stage);
  const state = getState(stack);
  if (!stack || state === 'new') return true;
  const { StackName: name, StackStatus: status } = stack;
  switch (state) {
    case 'ready':
      return false;
    case 'not-created':
      await startAgain(stack, `The first deployment of stage ${stage} failed`, decider);
      return true;
    case 'not-deleted':
      await startAgain(stack, `The deletion of stage ${stage} failed`, decider);
      return true;
    case 'not-updated':
    case 'not-rolled-back':
      await endUpdate(stack, decider);
      return false;
    case 'busy': {
      const since = (
        stack.DeletionTime ??
        stack.LastUpdatedTime ??
        stack.CreationTime
      )?.toISOString();
      throw new CommandError(
        `Stack ${name} is being changed by someone else (${status} since ${since}). Deploy once that has ended; the CloudFormation console shows it.`,
      );
    }
    default:
      throw new CommandError(
        `Stack ${name} is ${status}. Correct that in the CloudFormation console, and deploy again.`,
      );
  }
};

/** What tells whether a stack has changed. */
type Trace = Pick<Stack, 'StackId' | 'StackStatus' | 'LastUpdatedTime'> | undefined;

const toKey = (stack: Trace): string =>
  [stack?.StackId, stack?.StackStatus, stack?.LastUpdatedTime?.toISOString()].join();

/** Returns what is next after a failed deployment, for a stack that was so before; the CDK has told the reasons. */
export const describeNext = async (stage: string, before: Trace): Promise<string | undefined> => {
  const after = await findStack(stage);
  if (!after || toKey(after) === toKey(before)) return undefined;
  switch (getState(after)) {
    case 'not-created':
      return `Nothing runs yet. Correct the reasons above and run the command again: it deletes what is left of stage ${stage}, and starts again.`;
    case 'ready':
      return `Stage ${stage} runs as before. Correct the reasons above and run the command again.`;
    case 'not-updated':
    case 'not-rolled-back':
      return 'Run the command again: it rolls the stack back first.';
    default:
      return undefined;
  }
};
