import { setTimeout as pause } from 'node:timers/promises';
import {
  ContinueUpdateRollbackCommand,
  DeleteStackCommand,
  RollbackStackCommand,
  type Stack,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { CommandError, print } from '../command.ts';
import { createCloudFormation, findStackBy, getState } from '../stack-state.ts';
import { describeFailures, readFailures } from './failures.ts';

/** CloudFront takes the longest, half an hour. ms. */
const maxWaitMs = 60 * 60_000;

const pollMs = 3_000;

/** Switches the protection of a stack from deletion on or off. */
export const setProtection = async (StackName: string, isProtected: boolean): Promise<void> => {
  const input = { StackName, EnableTerminationProtection: isProtected };
  await createCloudFormation().send(new UpdateTerminationProtectionCommand(input));
};

/**
 * Waits until no operation runs on a stack, and returns it; `undefined` once it is deleted.
 * @throws CommandError after an hour
 */
const waitForEnd = async (arn: string): Promise<Stack | undefined> => {
  const end = Date.now() + maxWaitMs;
  for (;;) {
    const stack = await findStackBy(arn);
    if (getState(stack) === 'new') return undefined;
    if (getState(stack) !== 'busy') return stack;
    if (Date.now() > end) {
      throw new CommandError(
        `Stack ${stack?.StackName} is still ${stack?.StackStatus} after an hour. See its events in the CloudFormation console, and run the command again once it has ended.`,
      );
    }
    await pause(pollMs);
  }
};

const deleteOnce = async (arn: string, RetainResources?: string[]): Promise<Stack | undefined> => {
  const input = { StackName: arn, ...(RetainResources && { RetainResources }) };
  await createCloudFormation().send(new DeleteStackCommand(input));
  return waitForEnd(arn);
};

/**
 * Deletes a stack, protected or not, and waits until it is gone. What can't be deleted stays, and is printed.
 * @throws CommandError if the stack can't be deleted
 */
export const removeStack = async (stack: Stack): Promise<void> => {
  const { StackId: arn = '', StackName: name = '' } = stack;
  if (stack.EnableTerminationProtection) await setProtection(arn, false);
  print(`Deleting the stack ${name}. This takes minutes.`);
  const failed = await deleteOnce(arn);
  if (!failed) return;
  const failures = await readFailures(arn);
  print(['These can’t be deleted, and stay:', ...describeFailures(failures)].join('\n'));
  const ids = failures.map(({ logicalId }) => logicalId);
  const left = await deleteOnce(arn, ids);
  if (!left) return;
  throw new CommandError(
    `Stack ${name} is ${left.StackStatus}. Delete it in the CloudFormation console, which shows what it waits for.`,
  );
};

/**
 * Rolls back the failed update of a stack, or goes on with that, and waits.
 * @throws CommandError if that fails
 */
export const rollBackUpdate = async (stack: Stack): Promise<void> => {
  const { StackId: arn = '', StackName: name = '' } = stack;
  const input = { StackName: arn };
  const command =
    getState(stack) === 'not-updated'
      ? new RollbackStackCommand(input)
      : new ContinueUpdateRollbackCommand(input);
  await createCloudFormation().send(command as ContinueUpdateRollbackCommand);
  print(`Rolling back the stack ${name}. This takes minutes.`);
  const ended = await waitForEnd(arn);
  if (getState(ended) === 'ready') return;
  const failures = await readFailures(arn);
  const ids = failures.map(({ logicalId }) => logicalId).join(' ');
  throw new CommandError(
    [
      `Stack ${name} is ${ended?.StackStatus ?? 'deleted'}:`,
      ...describeFailures(failures),
      'Correct what the reasons name and deploy again, or leave these resources as they are:',
      `  aws cloudformation continue-update-rollback --stack-name ${name} --resources-to-skip ${ids}`,
    ].join('\n'),
  );
};
