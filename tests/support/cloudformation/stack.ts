import { randomUUID } from 'node:crypto';
import type { Account, Attempt, Resource } from './account.ts';
import { describeParameters, resolveParameters } from './parameters.ts';
import { invalid } from './protocol.ts';
import {
  isWanted,
  parseTemplate,
  resolve,
  type Scope,
  type Template,
  toWaves,
} from './template.ts';

/** A template with the values of its parameters. */
export interface Version {
  readonly body: string;
  readonly template: Template;
  readonly parameters: ReadonlyMap<string, string>;
}

export const toVersion = (body: string, parameters: ReadonlyMap<string, string>): Version => ({
  body,
  template: parseTemplate(body),
  parameters,
});

/** A resource as the stack knows it. */
interface Entry {
  readonly type: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly at: Date;
  readonly resource: Resource | undefined;
}

export interface StackEvent {
  readonly EventId: string;
  readonly StackId: string;
  readonly StackName: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId: string;
  readonly ResourceType: string;
  readonly Timestamp: Date;
  readonly ResourceStatus: string;
  readonly ResourceStatusReason: string | undefined;
}

const stackType = 'AWS::CloudFormation::Stack';

const listed = (ids: readonly string[]): string => `[${ids.join(', ')}]`;

/** A stack. Its operations are over when they return; `account.readsInProgress` says how long they seem to last. */
export class StandInStack {
  readonly id: string;
  readonly name: string;
  readonly created = new Date();
  updated: Date | undefined;
  deleted: Date | undefined;
  isProtected = false;
  status = 'REVIEW_IN_PROGRESS';
  version: Version | undefined;
  outputs: Readonly<Record<string, string>> = {};
  readonly events: StackEvent[] = [];
  readonly entries = new Map<string, Entry>();
  readonly #account: Account;
  /** What an update that failed goes back to. */
  #before:
    | { readonly version: Version; readonly resources: ReadonlyMap<string, Resource> }
    | undefined;

  constructor(account: Account, name: string) {
    this.#account = account;
    this.name = name;
    this.id = account.arn('cloudformation', `stack/${name}/${randomUUID()}`);
    this.#setStatus('REVIEW_IN_PROGRESS', 'User Initiated');
  }

  #log(logicalId: string, type: string, physicalId: string, status: string, reason?: string): Date {
    const Timestamp = new Date();
    this.events.push({
      EventId: randomUUID(),
      StackId: this.id,
      StackName: this.name,
      LogicalResourceId: logicalId,
      PhysicalResourceId: physicalId,
      ResourceType: type,
      Timestamp,
      ResourceStatus: status,
      ResourceStatusReason: reason,
    });
    return Timestamp;
  }

  #setStatus(status: string, reason?: string): void {
    this.status = status;
    this.#log(this.name, stackType, this.id, status, reason);
  }

  #enter(id: string, type: string, status: string, resource?: Resource, reason?: string): void {
    const at = this.#log(id, type, resource?.physicalId ?? '', status, reason);
    this.entries.set(id, { type, status, reason, at, resource });
  }

  #scope({ template, parameters }: Version): Scope {
    const { region, id } = this.#account;
    const need = (logicalId: string): Resource => {
      const resource = this.entries.get(logicalId)?.resource;
      if (!resource)
        throw invalid(`Unresolved resource dependencies [${logicalId}] in the template`);
      return resource;
    };
    return {
      template,
      values: {
        'AWS::Region': region,
        'AWS::AccountId': id,
        'AWS::Partition': 'aws',
        'AWS::URLSuffix': 'amazonaws.com',
        'AWS::StackName': this.name,
        'AWS::StackId': this.id,
        ...resolveParameters(template, parameters),
      },
      ref: (logicalId) => need(logicalId).physicalId,
      attribute: (logicalId, name) => this.#account.attribute(need(logicalId), name),
    };
  }

  /** Creates or changes one resource. Returns whether it could. */
  #apply(version: Version, logicalId: string, isCanceled: boolean): boolean {
    const scope = this.#scope(version);
    const definition = version.template.Resources[logicalId];
    if (!definition || !isWanted(definition, scope)) return true;
    const { Type: type, DeletionPolicy: policy = 'Delete' } = definition;
    const properties = resolve(definition.Properties ?? {}, scope) as Attempt['properties'];
    const existing = this.entries.get(logicalId)?.resource;
    const isSame =
      existing !== undefined &&
      JSON.stringify(existing.properties) === JSON.stringify(properties) &&
      existing.deletionPolicy === policy;
    if (isSame) return true;
    const [action, verb] = existing
      ? (['update', 'UPDATE'] as const)
      : (['create', 'CREATE'] as const);
    const attempt: Attempt = { action, logicalId, type, properties };
    this.#enter(logicalId, type, `${verb}_IN_PROGRESS`, existing);
    const reason = isCanceled
      ? `Resource ${existing ? 'update' : 'creation'} cancelled`
      : this.#account.reasonAgainst(attempt);
    if (reason !== undefined) {
      this.#enter(logicalId, type, `${verb}_FAILED`, existing, reason);
      return false;
    }
    const resource = this.#account.put(attempt, this.name, policy, existing?.physicalId);
    this.#enter(logicalId, type, `${verb}_COMPLETE`, resource);
    return true;
  }

  /** Creates and changes the resources of a template, in waves. Returns those that failed, canceled ones included. */
  #applyAll(version: Version): string[] {
    for (const wave of toWaves(version.template)) {
      const failed: string[] = [];
      for (const id of wave) if (!this.#apply(version, id, failed.length > 0)) failed.push(id);
      if (failed.length > 0) return failed;
    }
    return [];
  }

  /** Deletes resources, last ones first, as their policy says. Returns those that can't be deleted. */
  #deleteAll(
    ids: readonly string[],
    isRollback: boolean,
    retained: readonly string[] = [],
  ): string[] {
    const failed: string[] = [];
    for (const id of ids.toReversed()) {
      const { resource, type, status } = this.entries.get(id) ?? {};
      if (!resource || type === undefined || /^DELETE_(COMPLETE|SKIPPED)$/.test(status ?? ''))
        continue;
      const { deletionPolicy, properties } = resource;
      const isKept =
        deletionPolicy === 'Retain' || (deletionPolicy === 'RetainExceptOnCreate' && !isRollback);
      if (isKept || retained.includes(id)) {
        this.#enter(id, type, 'DELETE_SKIPPED', resource);
        continue;
      }
      this.#enter(id, type, 'DELETE_IN_PROGRESS', resource);
      const reason = this.#account.reasonAgainst({
        action: 'delete',
        logicalId: id,
        type,
        properties,
      });
      if (reason !== undefined) {
        this.#enter(id, type, 'DELETE_FAILED', resource, reason);
        failed.push(id);
        continue;
      }
      this.#account.remove(resource);
      this.#enter(id, type, 'DELETE_COMPLETE', resource);
    }
    return failed;
  }

  #complete(version: Version): void {
    this.version = version;
    const scope = this.#scope(version);
    this.outputs = Object.fromEntries(
      Object.entries(version.template.Outputs ?? {})
        .filter(([, output]) => isWanted(output, scope))
        .map(([name, { Value }]) => [name, String(resolve(Value, scope))]),
    );
  }

  /** Creates the stack, and rolls back if a resource fails, unless that is switched off. */
  create(version: Version, disableRollback: boolean): void {
    this.version = version;
    this.#setStatus('CREATE_IN_PROGRESS', 'User Initiated');
    const failed = this.#applyAll(version);
    if (failed.length === 0) {
      this.#complete(version);
      this.#setStatus('CREATE_COMPLETE');
      return;
    }
    const reason = `The following resource(s) failed to create: ${listed(failed)}.`;
    if (disableRollback) this.#setStatus('CREATE_FAILED', reason);
    else this.rollBackCreation(reason);
  }

  rollBackCreation(reason: string): void {
    this.#setStatus('ROLLBACK_IN_PROGRESS', `${reason} Rollback requested by user.`);
    const left = this.#deleteAll([...this.entries.keys()], true);
    if (left.length === 0) this.#setStatus('ROLLBACK_COMPLETE');
    else
      this.#setStatus(
        'ROLLBACK_FAILED',
        `The following resource(s) failed to delete: ${listed(left)}.`,
      );
  }

  /** Changes the stack, and goes back if a resource fails, unless that is switched off. */
  update(version: Version, disableRollback: boolean): void {
    if (!this.version) throw invalid(`Stack [${this.name}] has no template`);
    const present = [...this.entries].flatMap(([id, { resource, status }]) =>
      resource && !/^DELETE_(COMPLETE|SKIPPED)$/.test(status) ? [[id, resource] as const] : [],
    );
    this.#before = { version: this.version, resources: new Map(present) };
    this.updated = new Date();
    this.#setStatus('UPDATE_IN_PROGRESS', 'User Initiated');
    for (const id of [...this.entries.keys()]) {
      if (!this.#before.resources.has(id)) this.entries.delete(id);
    }
    const failed = this.#applyAll(version);
    if (failed.length > 0) {
      const reason = `The following resource(s) failed to update: ${listed(failed)}.`;
      if (disableRollback) this.#setStatus('UPDATE_FAILED', reason);
      else this.rollBackUpdate(reason);
      return;
    }
    this.#complete(version);
    this.#setStatus('UPDATE_COMPLETE_CLEANUP_IN_PROGRESS');
    const scope = this.#scope(version);
    const gone = present
      .map(([id]) => id)
      .filter((id) => {
        const definition = version.template.Resources[id];
        return !definition || !isWanted(definition, scope);
      });
    this.#deleteAll(gone, false);
    this.#setStatus('UPDATE_COMPLETE');
  }

  /** Goes back to what was before a failed update. Resources to skip are taken as they are. */
  rollBackUpdate(reason: string, skipped: readonly string[] = []): void {
    const before = this.#before;
    if (!before) throw invalid(`Stack [${this.name}] has nothing to roll back to`);
    this.#setStatus('UPDATE_ROLLBACK_IN_PROGRESS', reason);
    const failed: string[] = [];
    for (const [id, resource] of before.resources) {
      if (this.entries.get(id)?.resource === resource || skipped.includes(id)) continue;
      const { type, properties, deletionPolicy, physicalId } = resource;
      const attempt: Attempt = { action: 'update', logicalId: id, type, properties };
      this.#enter(id, type, 'UPDATE_IN_PROGRESS', this.entries.get(id)?.resource);
      const refusal = this.#account.reasonAgainst(attempt);
      if (refusal !== undefined) {
        this.#enter(id, type, 'UPDATE_FAILED', this.entries.get(id)?.resource, refusal);
        failed.push(id);
        continue;
      }
      this.#account.put(attempt, this.name, deletionPolicy, physicalId);
      this.#enter(id, type, 'UPDATE_COMPLETE', resource);
    }
    if (failed.length > 0) {
      this.#setStatus(
        'UPDATE_ROLLBACK_FAILED',
        `The following resource(s) failed to update: ${listed(failed)}.`,
      );
      return;
    }
    this.#complete(before.version);
    this.#setStatus('UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS');
    this.#deleteAll(
      [...this.entries.keys()].filter((id) => !before.resources.has(id)),
      true,
    );
    this.#setStatus('UPDATE_ROLLBACK_COMPLETE');
  }

  /** Deletes the stack. @throws AwsError for a protected one */
  delete(retained: readonly string[]): void {
    if (this.isProtected) {
      throw invalid(
        `Stack [${this.name}] cannot be deleted while TerminationProtection is enabled`,
      );
    }
    if (retained.length > 0 && this.status !== 'DELETE_FAILED') {
      throw invalid('Resources to retain can be named only for a stack in the DELETE_FAILED state');
    }
    this.#setStatus('DELETE_IN_PROGRESS', 'User Initiated');
    const left = this.#deleteAll([...this.entries.keys()], false, retained);
    if (left.length > 0) {
      this.#setStatus(
        'DELETE_FAILED',
        `The following resource(s) failed to delete: ${listed(left)}.`,
      );
      return;
    }
    this.deleted = new Date();
    this.#setStatus('DELETE_COMPLETE');
  }

  /** Returns the parameters as they are shown. */
  get parameters() {
    return this.version ? describeParameters(this.version.template, this.version.parameters) : [];
  }
}
