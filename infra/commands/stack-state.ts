import {
  CloudFormationClient,
  DescribeStacksCommand,
  type Stack,
  type StackStatus,
} from '@aws-sdk/client-cloudformation';
import { getStackName } from '../stack/stack-name.ts';
import { CommandError } from './command.ts';

/** The bounds of a request. ms. */
const requestHandler = {
  connectionTimeout: 5_000,
  requestTimeout: 30_000,
  throwOnRequestTimeout: true,
};

/** Creates the client of CloudFormation, whose requests are bounded. */
export const createCloudFormation = (): CloudFormationClient =>
  new CloudFormationClient({ requestHandler });

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'ValidationError' &&
  /does not exist/.test(error.message);

/** Finds a stack by its name, or one that may be deleted by its ARN. */
export const findStackBy = async (nameOrArn: string): Promise<Stack | undefined> => {
  try {
    const command = new DescribeStacksCommand({ StackName: nameOrArn });
    return (await createCloudFormation().send(command)).Stacks?.[0];
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** Finds the stack of a stage. */
export const findStack = (stage: string): Promise<Stack | undefined> =>
  findStackBy(getStackName(stage));

/** What can be done with a stack. */
export type StackState =
  /** There is none, or one that has never been more than prepared. */
  | 'new'
  /** It can be updated. */
  | 'ready'
  /** An operation runs. */
  | 'busy'
  /** Its creation failed: it can only be deleted. */
  | 'not-created'
  /** Its deletion failed: it can only be deleted. */
  | 'not-deleted'
  /** An update failed and waits to be rolled back. */
  | 'not-updated'
  /** The rollback of an update failed and waits to be continued. */
  | 'not-rolled-back'
  /** What only people can decide. */
  | 'unknown';

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html#cfn-console-view-stack-status-codes */
const states: Partial<Record<StackStatus, StackState>> = {
  REVIEW_IN_PROGRESS: 'new',
  DELETE_COMPLETE: 'new',
  CREATE_COMPLETE: 'ready',
  UPDATE_COMPLETE: 'ready',
  UPDATE_ROLLBACK_COMPLETE: 'ready',
  IMPORT_COMPLETE: 'ready',
  IMPORT_ROLLBACK_COMPLETE: 'ready',
  CREATE_FAILED: 'not-created',
  ROLLBACK_COMPLETE: 'not-created',
  ROLLBACK_FAILED: 'not-created',
  DELETE_FAILED: 'not-deleted',
  UPDATE_FAILED: 'not-updated',
  UPDATE_ROLLBACK_FAILED: 'not-rolled-back',
};

/** Returns what can be done with a stack. */
export const getState = (stack: Pick<Stack, 'StackStatus'> | undefined): StackState => {
  const status = stack?.StackStatus;
  if (status === undefined) return 'new';
  return states[status] ?? (status.endsWith('_IN_PROGRESS') ? 'busy' : 'unknown');
};

/**
 * Returns the parameters of a stage; none unless it has been deployed, because a stack that failed is created again with
 * all of them. Secret ones read `****`.
 */
export const findParameters = async (stage: string): Promise<Readonly<Record<string, string>>> => {
  const stack = await findStack(stage);
  if (getState(stack) !== 'ready') return {};
  return Object.fromEntries(
    (stack?.Parameters ?? []).map(({ ParameterKey = '', ParameterValue = '' }) => [
      ParameterKey,
      ParameterValue,
    ]),
  );
};

/** The failure of a command for a stage that isn't there. */
export const notDeployed = (stage: string): CommandError =>
  new CommandError(
    `Stage ${stage} not found in this account and region. Run \`npm run deploy -- --stage ${stage}\`.`,
  );
