import { runSimulation } from '@cloud-copilot/iam-simulate';
import { type AwsCall, leadingKeys } from './aws-calls.ts';
import { accountId } from './intrinsics.ts';
import type { Statement } from './stack.ts';

/** One action on one resource, allowed by a statement. */
export interface Grant {
  readonly action: string;
  /** May contain `*`. */
  readonly resource: string;
}

const listed = (value: string | readonly string[]): readonly string[] => [value].flat();

/** Returns every action on every resource that the statements allow. */
export const grantsOf = (statements: readonly Statement[]): Grant[] =>
  statements.flatMap(({ Effect, Action, Resource }) =>
    Effect === 'Deny'
      ? []
      : listed(Action).flatMap((action) =>
          listed(Resource).map((resource) => ({ action, resource })),
        ),
  );

const isAllowed = async (
  { action, resource, context = {} }: AwsCall,
  statements: readonly Statement[],
): Promise<boolean> => {
  const outcome = await runSimulation(
    {
      request: {
        principal: `arn:aws:iam::${accountId}:role/function`,
        action,
        resource: { resource, accountId },
        contextVariables: { ...(context as Record<string, string>), 'aws:SecureTransport': 'true' },
      },
      identityPolicies: [
        { name: 'role', policy: { Version: '2012-10-17', Statement: statements } },
      ],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (outcome.resultType === 'error') {
    throw new Error(
      `${action} on ${resource} can't be simulated: ${JSON.stringify(outcome.errors)}`,
    );
  }
  return outcome.overallResult === 'Allowed';
};

/** Formats a permission, such as `sqs:SendMessage on arn:…`. */
export const textOf = ({ action, resource }: Grant): string => `${action} on ${resource}`;

/** Returns the partitions that a call names. */
const partitionsOf = ({ context }: AwsCall): readonly string[] =>
  [context?.[leadingKeys] ?? []].flat();

/** Omits the variable parts of a partition key. */
const familyOf = (partition: string): string =>
  partition
    .split('#')
    .map((part, at) => (at === 0 || /^[A-Z_]+$/.test(part) ? part : ''))
    .join('#');

const contextOf = (call: AwsCall): string =>
  JSON.stringify({
    ...call.context,
    [leadingKeys]: [...new Set(partitionsOf(call).map(familyOf))].sort(),
  });

/** Deduplicates calls that require the same permission. */
const distinct = (calls: readonly AwsCall[]): AwsCall[] => [
  ...new Map(calls.map((call) => [`${textOf(call)} ${contextOf(call)}`, call])).values(),
];

/** Returns the calls that IAM would deny. */
export const deniedOf = async (
  calls: readonly AwsCall[],
  statements: readonly Statement[],
): Promise<string[]> => {
  const denied: string[] = [];
  for (const call of distinct(calls)) {
    if (!(await isAllowed(call, statements))) denied.push(textOf(call));
  }
  return denied;
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const matches = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`).test(text);

/** Returns the calls that a grant covers: without it, no other can be denied. */
export const coveredBy = (grant: Grant, calls: readonly AwsCall[]): AwsCall[] =>
  calls.filter(
    ({ action, resource }) => action === grant.action && matches(grant.resource, resource),
  );

/** Returns the grants without a call. */
export const unusedOf = (calls: readonly AwsCall[], statements: readonly Statement[]): Grant[] =>
  grantsOf(statements).filter((grant) => coveredBy(grant, calls).length === 0);

/** A permission for partitions of a table or index. */
const patternsOf = ({ Condition }: Statement): readonly string[] =>
  [Condition?.['ForAllValues:StringLike']?.[leadingKeys] ?? []].flat();

/** Returns each partition that the statements allow, with its table or index. */
export const partitionGrantsOf = (statements: readonly Statement[]) =>
  statements.flatMap((statement) =>
    patternsOf(statement).map((pattern) => ({
      pattern,
      resource: String([statement.Resource].flat()[0]),
      /** The same statements, without this partition. */
      rest: statements.map((one) =>
        one === statement
          ? withPartitions(one, (all) => all.filter((each) => each !== pattern))
          : one,
      ),
    })),
  );

const withPartitions = (
  statement: Statement,
  edit: (partitions: readonly string[]) => readonly string[],
): Statement => ({
  ...statement,
  Condition: {
    ...statement.Condition,
    'ForAllValues:StringLike': { [leadingKeys]: edit(patternsOf(statement)) },
  },
});

/** Partitions of a table or index that a statement allows. */
interface PartitionGrant {
  readonly pattern: string;
  readonly resource: string;
}

/** Returns the calls that need these partitions: without them, no other can be denied. */
export const needing = ({ pattern, resource }: PartitionGrant, calls: readonly AwsCall[]) =>
  calls.filter(
    (call) =>
      call.resource === resource &&
      partitionsOf(call).some((partition) => matches(pattern, partition)),
  );

/** Returns allowed partitions without a call, such as `SHARES on arn:…`. */
export const unusedPartitionsOf = (
  calls: readonly AwsCall[],
  statements: readonly Statement[],
): PartitionGrant[] =>
  partitionGrantsOf(statements).filter((grant) => needing(grant, calls).length === 0);
