import { runSimulation } from '@cloud-copilot/iam-simulate';
import { type AwsCall, leadingKeys } from './aws-calls.ts';
import { accountId } from './intrinsics.ts';
import type { Statement } from './stack.ts';

/** One action on one resource that a statement allows. */
export interface Grant {
  readonly action: string;
  /** May have `*` in it. */
  readonly resource: string;
}

const listed = (value: string | readonly string[]): readonly string[] => [value].flat();

/** Every action on every resource that the statements allow. */
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

/** For instance `sqs:SendMessage on arn:…`. */
export const textOf = ({ action, resource }: Grant): string => `${action} on ${resource}`;

/** The partitions that a call names. */
const partitionsOf = ({ context }: AwsCall): readonly string[] =>
  [context?.[leadingKeys] ?? []].flat();

/** A partition without what differs from one record to the next. */
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

/** Calls that need the same right, once. */
const distinct = (calls: readonly AwsCall[]): AwsCall[] => [
  ...new Map(calls.map((call) => [`${textOf(call)} ${contextOf(call)}`, call])).values(),
];

/** What was called and is not allowed, as IAM sees it. */
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

/** Is the call one that the grant is for? */
const matches = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`).test(text);

/** What is allowed and was never called. */
export const unusedOf = (calls: readonly AwsCall[], statements: readonly Statement[]): Grant[] =>
  grantsOf(statements).filter(
    (grant) =>
      !calls.some(
        ({ action, resource }) => action === grant.action && matches(grant.resource, resource),
      ),
  );

/** A right to some partitions of a table or of an index. */
const patternsOf = ({ Condition }: Statement): readonly string[] =>
  [Condition?.['ForAllValues:StringLike']?.[leadingKeys] ?? []].flat();

/** Each partition that the statements allow something of, with the table or index that has it. */
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

/** Partitions that something is allowed of and that nothing was asked of, for instance `SHARES on arn:…`. */
export const unusedPartitionsOf = (
  calls: readonly AwsCall[],
  statements: readonly Statement[],
): { readonly pattern: string; readonly resource: string }[] =>
  partitionGrantsOf(statements).filter(
    ({ pattern, resource }) =>
      !calls.some(
        (call) =>
          call.resource === resource &&
          partitionsOf(call).some((partition) => matches(pattern, partition)),
      ),
  );
