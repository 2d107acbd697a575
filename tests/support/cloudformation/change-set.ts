import { randomUUID } from 'node:crypto';
import type { Account } from './account.ts';
import { readParameters } from './parameters.ts';
import { type Input, invalid } from './protocol.ts';
import { type StandInStack, toVersion, type Version } from './stack.ts';
import { parseTemplate } from './template.ts';

export interface ChangeSet {
  readonly id: string;
  readonly name: string;
  readonly created: Date;
  readonly version: Version;
  readonly status: 'CREATE_COMPLETE' | 'FAILED';
  readonly reason: string | undefined;
  readonly changes: readonly {
    readonly action: string;
    readonly id: string;
    readonly type: string;
  }[];
}

/** What counts as a change: neither the description nor the metadata of a template does by itself. */
const toComparable = ({ template, parameters }: Version): string => {
  const { Description: _, Metadata: __, ...rest } = template;
  return JSON.stringify([rest, [...parameters].toSorted()]);
};

const listChanges = (before: Version | undefined, after: Version): ChangeSet['changes'] => {
  const [old, now] = [before?.template.Resources ?? {}, after.template.Resources];
  const removed = Object.entries(old)
    .filter(([id]) => !(id in now))
    .map(([id, { Type: type }]) => ({ action: 'Remove', id, type }));
  const changed = Object.entries(now)
    .filter(([id, resource]) => JSON.stringify(old[id]) !== JSON.stringify(resource))
    .map(([id, { Type: type }]) => ({ action: id in old ? 'Modify' : 'Add', id, type }));
  return [...changed, ...removed];
};

const updatable =
  /^(CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT|IMPORT_ROLLBACK)_COMPLETE$|^(CREATE|UPDATE)_FAILED$/;

/**
 * Prepares the creation or the change of a stack.
 * @throws AwsError in a state in which that can't be
 */
export const prepareChangeSet = (
  account: Account,
  stack: StandInStack,
  input: Input,
  body: string,
): ChangeSet => {
  const isCreation = input['ChangeSetType'] === 'CREATE';
  if (isCreation && stack.status !== 'REVIEW_IN_PROGRESS') {
    throw invalid(
      `Stack [${stack.name}] already exists and cannot be created again with the changeSet [${input['ChangeSetName']}].`,
    );
  }
  if (!isCreation && !updatable.test(stack.status)) {
    throw invalid(`Stack:${stack.id} is in ${stack.status} state and can not be updated.`);
  }
  const before = isCreation ? undefined : stack.version;
  const given = (input['Parameters'] ?? []) as Input[];
  const version = toVersion(body, readParameters(parseTemplate(body), given, before?.parameters));
  const isSame = before !== undefined && toComparable(before) === toComparable(version);
  return {
    id: account.arn('cloudformation', `changeSet/${input['ChangeSetName']}/${randomUUID()}`),
    name: String(input['ChangeSetName']),
    created: new Date(),
    version,
    status: isSame ? 'FAILED' : 'CREATE_COMPLETE',
    reason: isSame
      ? "The submitted information didn't contain changes. Submit different information to create a change set."
      : undefined,
    changes: listChanges(before, version),
  };
};
