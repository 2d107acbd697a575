import { DescribeStackEventsCommand, type StackEvent } from '@aws-sdk/client-cloudformation';
import { createCloudFormation } from '../stack-state.ts';

/** A resource that failed, and why. */
export interface Failure {
  readonly logicalId: string;
  readonly type: string;
  readonly reason: string;
}

/** A page has 100 events, and an operation two or three for each resource. */
const maxPages = 30;

/** The first failures tell the cause; later ones follow from it. */
const maxFailures = 5;

/** How CloudFormation marks the event of the stack with which an operation of someone begins. */
const begins = /^User Initiated/;

const isOfStack = ({ PhysicalResourceId, StackId }: StackEvent): boolean =>
  PhysicalResourceId === StackId;

const isBegin = (event: StackEvent): boolean =>
  isOfStack(event) &&
  /^(CREATE|UPDATE|DELETE|IMPORT)_IN_PROGRESS$/.test(event.ResourceStatus ?? '') &&
  begins.test(event.ResourceStatusReason ?? '');

/** Other resources are canceled once one has failed. */
const isCanceled = ({ ResourceStatusReason }: StackEvent): boolean =>
  /^Resource (creation|update|deletion) cancelled/i.test(ResourceStatusReason ?? '');

const isFailure = (event: StackEvent): boolean =>
  /_FAILED$/.test(event.ResourceStatus ?? '') && !isOfStack(event) && !isCanceled(event);

/** Reads the events of a stack since its latest operation began, newest first, as CloudFormation lists them. */
const readLatest = async (nameOrArn: string): Promise<StackEvent[]> => {
  const client = createCloudFormation();
  const latest: StackEvent[] = [];
  let NextToken: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const command = new DescribeStackEventsCommand({ StackName: nameOrArn, NextToken });
    const { StackEvents = [], NextToken: next } = await client.send(command);
    const begin = StackEvents.findIndex(isBegin);
    latest.push(...(begin < 0 ? StackEvents : StackEvents.slice(0, begin)));
    if (begin >= 0 || next === undefined) break;
    NextToken = next;
  }
  return latest;
};

/** Returns what failed first in the latest operation of a stack, by its name or ARN, at most five resources. */
export const readFailures = async (nameOrArn: string): Promise<Failure[]> => {
  const failed = (await readLatest(nameOrArn)).filter(isFailure).reverse();
  const byResource = new Map<string, Failure>();
  for (const { LogicalResourceId: logicalId = '', ResourceType, ResourceStatusReason } of failed) {
    if (byResource.has(logicalId)) continue;
    const reason = ResourceStatusReason?.trim() || 'no reason given';
    byResource.set(logicalId, { logicalId, type: ResourceType ?? '', reason });
  }
  return [...byResource.values()].slice(0, maxFailures);
};

/** Returns a line for each failure. */
export const describeFailures = (failures: readonly Failure[]): string[] =>
  failures.map(({ logicalId, type, reason }) => `  ${logicalId} (${type}): ${reason}`);
