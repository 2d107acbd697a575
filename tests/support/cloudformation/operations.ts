import type { Account } from './account.ts';
import { type ChangeSet, prepareChangeSet } from './change-set.ts';
import { AwsError, type Input, invalid, type Value } from './protocol.ts';
import { StandInStack } from './stack.ts';

/** Page sizes of CloudFormation. */
const pageSize = 100;

/** The largest template that a request contains; larger ones are in S3. Bytes. */
const maxBody = 51_200;

const toOutputs = (outputs: Readonly<Record<string, string>>): Value[] =>
  Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));

/** Cuts a page out of a list. */
const toPage = <T>(all: readonly T[], token: Input[string]): { page: T[]; NextToken?: string } => {
  const start = Number(token ?? 0);
  const end = start + pageSize;
  return { page: all.slice(start, end), ...(end < all.length && { NextToken: String(end) }) };
};

/** The stacks of an account, and the operations of CloudFormation on them. */
export class Stacks {
  /** How many requests for the stack see an operation in progress before they see its end. */
  readsInProgress = 0;
  readonly #account: Account;
  readonly #all: StandInStack[] = [];
  readonly #changeSets = new Map<StandInStack, Map<string, ChangeSet>>();
  readonly #seen = new Map<StandInStack, number>();
  /** Reads a template by its address in S3. */
  readonly #readObject: (url: string) => string;

  constructor(account: Account, readObject: (url: string) => string) {
    this.#account = account;
    this.#readObject = readObject;
  }

  /** Finds a stack by name, unless it is deleted, or by ARN. */
  find(nameOrId: string): StandInStack | undefined {
    return this.#all.find(
      ({ id, name, deleted }) => id === nameOrId || (name === nameOrId && !deleted),
    );
  }

  #get(input: Input): StandInStack {
    const name = String(input['StackName']);
    const stack = this.find(name);
    if (!stack) throw invalid(`Stack with id ${name} does not exist`);
    return stack;
  }

  #getChangeSet(input: Input): [StandInStack, ChangeSet] {
    const name = String(input['ChangeSetName']);
    for (const [stack, sets] of this.#changeSets) {
      if (input['StackName'] !== undefined && this.find(String(input['StackName'])) !== stack)
        continue;
      const found = [...sets.values()].find((one) => one.id === name || one.name === name);
      if (found) return [stack, found];
    }
    throw new AwsError('ChangeSetNotFound', `ChangeSet [${name}] does not exist`, 404);
  }

  #assertIdle(stack: StandInStack): void {
    const left = this.#seen.get(stack) ?? 0;
    if (left > 0) {
      throw invalid(
        `Stack:${stack.id} is in ${this.#shownStatus(stack)} state and can not be updated.`,
      );
    }
  }

  #shownStatus(stack: StandInStack): string {
    if ((this.#seen.get(stack) ?? 0) === 0) return stack.status;
    return stack.events.findLast(
      ({ ResourceStatusReason }) => ResourceStatusReason === 'User Initiated',
    )?.ResourceStatus as string;
  }

  #begin(stack: StandInStack): void {
    this.#seen.set(stack, this.readsInProgress);
  }

  #describe(stack: StandInStack): Value {
    const StackStatus = this.#shownStatus(stack);
    this.#seen.set(stack, Math.max(0, (this.#seen.get(stack) ?? 0) - 1));
    const isOver = !StackStatus.endsWith('_IN_PROGRESS');
    return {
      StackId: stack.id,
      StackName: stack.name,
      Description: stack.version?.template.Description,
      Parameters: StackStatus === 'REVIEW_IN_PROGRESS' ? [] : stack.parameters,
      CreationTime: stack.created,
      LastUpdatedTime: stack.updated,
      DeletionTime: stack.deleted,
      StackStatus,
      StackStatusReason: stack.events.findLast(
        ({ ResourceType, ResourceStatus }) =>
          ResourceType === 'AWS::CloudFormation::Stack' && ResourceStatus === stack.status,
      )?.ResourceStatusReason,
      EnableTerminationProtection: stack.isProtected,
      Outputs: isOver ? toOutputs(stack.outputs) : [],
      Tags: [],
    };
  }

  readonly operations: Readonly<Record<string, (input: Input) => Value>> = {
    DescribeStacks: (input) => {
      const isAll = input['StackName'] === undefined;
      const found = isAll ? this.#all.filter(({ deleted }) => !deleted) : [this.#get(input)];
      return { Stacks: found.map((stack) => this.#describe(stack)) };
    },
    CreateChangeSet: (input) => {
      const name = String(input['StackName']);
      let stack = this.find(name);
      if (!stack && input['ChangeSetType'] !== 'CREATE')
        throw invalid(`Stack [${name}] does not exist`);
      if (stack) this.#assertIdle(stack);
      const body = this.#readBody(input);
      const isNew = !stack;
      stack ??= new StandInStack(this.#account, name);
      const prepared = prepareChangeSet(this.#account, stack, input, body);
      if (isNew) this.#all.push(stack);
      const sets = this.#changeSets.get(stack) ?? new Map<string, ChangeSet>();
      this.#changeSets.set(stack, sets.set(prepared.name, prepared));
      return { Id: prepared.id, StackId: stack.id };
    },
    DescribeChangeSet: (input) => {
      const [stack, { id, name, created, status, reason, changes }] = this.#getChangeSet(input);
      const { page, NextToken } = toPage(changes, input['NextToken']);
      return {
        ChangeSetId: id,
        ChangeSetName: name,
        StackId: stack.id,
        StackName: stack.name,
        CreationTime: created,
        Status: status,
        StatusReason: reason,
        ExecutionStatus: status === 'FAILED' ? 'UNAVAILABLE' : 'AVAILABLE',
        Changes: page.map(({ action, id: logicalId, type }) => ({
          Type: 'Resource',
          ResourceChange: {
            Action: action,
            LogicalResourceId: logicalId,
            ResourceType: type,
            Replacement: 'False',
            Scope: [],
            Details: [],
          },
        })),
        NextToken,
      };
    },
    ListChangeSets: (input) => {
      const stack = this.#get(input);
      return {
        Summaries: [...(this.#changeSets.get(stack)?.values() ?? [])].map((one) => ({
          ChangeSetId: one.id,
          ChangeSetName: one.name,
          StackId: stack.id,
          Status: one.status,
          StatusReason: one.reason,
        })),
      };
    },
    DeleteChangeSet: (input) => {
      const stack = this.find(String(input['StackName']));
      if (stack) this.#changeSets.get(stack)?.delete(String(input['ChangeSetName']));
      return {};
    },
    ExecuteChangeSet: (input) => {
      const [stack, { id, version, status }] = this.#getChangeSet(input);
      if (status === 'FAILED') {
        throw new AwsError(
          'InvalidChangeSetStatus',
          `ChangeSet [${id}] cannot be executed in its current status of [FAILED]`,
        );
      }
      this.#assertIdle(stack);
      this.#changeSets.get(stack)?.clear();
      this.#begin(stack);
      const disableRollback = input['DisableRollback'] === 'true';
      if (stack.status === 'REVIEW_IN_PROGRESS') stack.create(version, disableRollback);
      else stack.update(version, disableRollback);
      return {};
    },
    DescribeStackEvents: (input) => {
      const { page, NextToken } = toPage(this.#get(input).events.toReversed(), input['NextToken']);
      return { StackEvents: page as unknown as Value[], NextToken };
    },
    ListStackResources: (input) => {
      const { page, NextToken } = toPage(this.#listResources(this.#get(input)), input['NextToken']);
      return { StackResourceSummaries: page, NextToken };
    },
    DescribeStackResources: (input) => {
      const stack = this.#get(input);
      const own = { StackId: stack.id, StackName: stack.name };
      const all = this.#listResources(stack).map((one) => ({ ...own, ...one }));
      return { StackResources: all.slice(0, pageSize) };
    },
    GetTemplate: (input) => ({
      TemplateBody: this.#get(input).version?.body ?? '{}',
      StagesAvailable: ['Original', 'Processed'],
    }),
    GetTemplateSummary: (input) => {
      const version = this.#get(input).version;
      if (!version) throw invalid(`Stack with id ${input['StackName']} does not exist`);
      const { Description, Metadata, Parameters = {}, Resources } = version.template;
      return {
        Description,
        Metadata: Metadata === undefined ? undefined : JSON.stringify(Metadata),
        Parameters: Object.entries(Parameters).map(([ParameterKey, { Type, NoEcho }]) => ({
          ParameterKey,
          ParameterType: Type,
          NoEcho: String(NoEcho ?? false),
        })),
        ResourceTypes: [...new Set(Object.values(Resources).map(({ Type }) => Type))],
      };
    },
    UpdateTerminationProtection: (input) => {
      const stack = this.#get(input);
      stack.isProtected = input['EnableTerminationProtection'] === 'true';
      return { StackId: stack.id };
    },
    DeleteStack: (input) => {
      const stack = this.find(String(input['StackName']));
      if (!stack || stack.deleted) return {};
      stack.delete((input['RetainResources'] ?? []) as string[]);
      this.#begin(stack);
      return {};
    },
    RollbackStack: (input) => {
      const stack = this.#get(input);
      if (stack.status === 'CREATE_FAILED') stack.rollBackCreation('User Initiated');
      else if (stack.status === 'UPDATE_FAILED') stack.rollBackUpdate('User Initiated');
      else throw invalid(`RollbackStack can not be executed in ${stack.status} state`);
      this.#begin(stack);
      return { StackId: stack.id };
    },
    ContinueUpdateRollback: (input) => {
      const stack = this.#get(input);
      if (stack.status !== 'UPDATE_ROLLBACK_FAILED') {
        throw invalid(`Stack:${stack.id} is in ${stack.status} state and can not be rolled back.`);
      }
      stack.rollBackUpdate('User Initiated', (input['ResourcesToSkip'] ?? []) as string[]);
      this.#begin(stack);
      return {};
    },
  };

  #readBody({ TemplateBody, TemplateURL }: Input): string {
    if (TemplateURL !== undefined) return this.#readObject(String(TemplateURL));
    const body = String(TemplateBody);
    if (Buffer.byteLength(body) > maxBody) {
      throw invalid(
        `1 validation error detected: Value at 'templateBody' failed to satisfy constraint: Member must have length less than or equal to ${maxBody}`,
      );
    }
    return body;
  }

  #listResources(stack: StandInStack) {
    return [...stack.entries].map(
      ([LogicalResourceId, { type, status, reason, at, resource }]) => ({
        LogicalResourceId,
        PhysicalResourceId: resource?.physicalId,
        ResourceType: type,
        ResourceStatus: status,
        ResourceStatusReason: reason,
        LastUpdatedTimestamp: at,
        Timestamp: at,
      }),
    );
  }
}
