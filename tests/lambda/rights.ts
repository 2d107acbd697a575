import { runSimulation } from '@cloud-copilot/iam-simulate';
import type { AwsCall } from './aws-calls.ts';
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
        contextVariables: { ...context, 'aws:SecureTransport': 'true' },
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

/** Calls that need the same right, once. */
const distinct = (calls: readonly AwsCall[]): AwsCall[] => [
  ...new Map(
    calls.map((call) => [`${textOf(call)} ${JSON.stringify(call.context)}`, call]),
  ).values(),
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
