import { type ChangeRecorder, changedFields } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import {
  parseStoredRoles,
  roleKeys,
  type StoredRoles,
  toCustomRoles,
} from '../../../shared/auth/custom-roles.ts';
import { assertStepUp } from '../../../shared/auth/step-up.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import { type ListKey, partitionQuery, queryMatches } from '../../../shared/db/query.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import { nextVersion, writeVersion } from '../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/content/etag.ts';
import {
  permissions as allPermissions,
  covers,
  roleLabels,
  roles,
} from '../../../shared/permissions/permissions.ts';
import {
  type CustomRole,
  isBuiltIn,
  isReservedName,
  maxCustomRoles,
  outranks,
} from '../../../shared/permissions/roles.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import { createRetry } from '../../../shared/runtime/retry.ts';
import { listRecent } from './grants.ts';

/** The fields of a custom role that people choose. */
export interface RoleFields {
  readonly label: string;
  readonly permissions: readonly string[];
}

/** A custom role and the number of its users, in any status. */
export interface CountedRole {
  readonly role: CustomRole;
  readonly users: number;
}

/** Why a second factor is asked for. */
const reason = 'You are changing what others may do.';

const retryOnConflict = createRetry('The roles are being modified. Try again.');

const notFound = () => new AppError('NOT_FOUND', 'Role not found.');

const forbidden = (message: string) => new AppError('FORBIDDEN', message);

/** What a name or label that someone has is refused with. */
const takenError = (field: 'name' | 'label') =>
  new AppError('CONFLICT', `A role with this ${field} already exists.`, {
    details: [{ field, message: 'is already taken' }],
  });

const tooManyError = () =>
  new AppError('CONFLICT', `You can have up to ${maxCustomRoles} custom roles. Delete one first.`);

const inUseError = (users: number) =>
  new AppError(
    'CONFLICT',
    users === 1
      ? '1 user has this role. Give them another first.'
      : `${users} users have this role. Give them another first.`,
  );

/** Entries and their numbers that the partition can hold. */
const maxItems = 2 * maxCustomRoles;

/** Lists the custom roles with the number of users of each, by label. Takes one round trip. */
export const list = async (): Promise<CountedRole[]> => {
  const { items } = await queryMatches(partitionQuery(roleKeys.all.partition(), false), {
    matches: maxItems,
    scanned: maxItems,
  });
  const found = items as (ListKey & Key)[];
  const counts = new Map(
    found.flatMap((item) => {
      const parts = roleKeys.users.read(item);
      return parts ? [[parts.role, Number(item['users'] ?? 0)]] : [];
    }),
  );
  const { roles } = parseStoredRoles(found.find((item) => roleKeys.all.read(item)));
  return roles
    .map((role) => ({ role, users: counts.get(role.name) ?? 0 }))
    .toSorted((a, b) => (a.role.label < b.role.label ? -1 : 1));
};

/**
 * Returns a custom role with the number of its users.
 * @throws AppError NOT_FOUND
 */
export const get = async (name: string): Promise<CountedRole> => {
  const [item, count] = await batchGet([roleKeys.all.at(), roleKeys.users.at({ role: name })]);
  const role = parseStoredRoles(item).roles.find((one) => one.name === name);
  if (!role) throw notFound();
  return { role, users: Number(count?.['users'] ?? 0) };
};

/** Returns entries without those that others cover, in the order of all permissions. */
const normalize = (entries: readonly string[]): string[] => {
  const once = [...new Set(entries)];
  const indexOf = (entry: string) =>
    allPermissions.findIndex((permission) => covers([entry], permission));
  return once
    .filter((entry) => !once.some((other) => other !== entry && covers([other], entry)))
    .toSorted((a, b) => indexOf(a) - indexOf(b));
};

/** Returns the label in the form in which two are the same for people. */
const toComparable = (label: string): string => label.normalize('NFKC').toLowerCase();

/**
 * Asserts that the actor can have a custom role as it is: it must rank below the actor's own, and grant nothing that the actor
 * lacks (decisions.md#custom-roles).
 * @throws AppError FORBIDDEN
 */
const assertBelow = (actor: Actor, role: CustomRole, all: StoredRoles): void => {
  const missing = role.permissions.find((entry) => !covers(actor.permissions, entry));
  if (missing !== undefined) {
    throw forbidden(`The role ${role.name} grants ${missing}, which you don’t have.`);
  }
  const others = all.roles.filter(({ name }) => name !== role.name);
  const known = toCustomRoles({ ...all, roles: [...others, role] });
  if (outranks(actor.user.role, role.name, known)) return;
  throw forbidden(`The role ${role.name} must rank below yours.`);
};

/**
 * Asserts that no other role has the label, whatever the case.
 * @throws AppError CONFLICT about `label`
 */
const assertFreeLabel = ({ name, label }: CustomRole, all: StoredRoles): void => {
  const labels = [
    ...roles.map((one) => roleLabels[one]),
    ...all.roles.flatMap((one) => (one.name === name ? [] : [one.label])),
  ];
  if (labels.some((one) => toComparable(one) === toComparable(label))) throw takenError('label');
};

/**
 * Asserts that a name can be that of a custom role.
 * @throws AppError FORBIDDEN for a built-in role
 */
const assertCustom = (name: string): void => {
  if (isBuiltIn(name)) throw forbidden(`The role ${name} is built in and can’t be changed.`);
};

const readAll = async (): Promise<StoredRoles> => {
  const [item] = await batchGet([roleKeys.all.at()]);
  return parseStoredRoles(item);
};

/** Creates the write of all custom roles after a change. */
const writeAll = (before: StoredRoles, changed: readonly CustomRole[]): Write | undefined =>
  writeVersion(roleKeys.all.at(), before.version === 0 ? undefined : before, {
    roles: changed,
    version: before.version + 1,
  });

/** Creates the write of the number of users, by which a role exists for those who give it to users. */
const startCountWrite = ({ name, createdAt }: CustomRole): Write => ({
  Put: {
    TableName: tableName(),
    Item: { ...roleKeys.users.at({ role: name }), createdAt, users: 0 },
    // A restored backup may have left users of a former role.
    ConditionExpression:
      'attribute_not_exists(pk) OR (attribute_not_exists(createdAt) AND #users <= :none)',
    ExpressionAttributeNames: { '#users': 'users' },
    ExpressionAttributeValues: { ':none': 0 },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

/** Creates the write that ends a role for those who give it to users, on condition that nobody has it. */
const endCountWrite = (name: string): Write => ({
  Delete: {
    TableName: tableName(),
    Key: roleKeys.users.at({ role: name }),
    ConditionExpression: 'attribute_not_exists(pk) OR #users <= :none',
    ExpressionAttributeNames: { '#users': 'users' },
    ExpressionAttributeValues: { ':none': 0 },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

const auditedFields = ['label', 'permissions'] as const;

const audit = (before: CustomRole | undefined, after: CustomRole | undefined) => {
  const { name, label } = (after ?? before) as CustomRole;
  const none: Partial<CustomRole> = {};
  const changed = changedFields<Partial<CustomRole>>(before ?? none, after ?? none, auditedFields);
  return {
    subject: `role:${name}`,
    subjectName: label,
    ...(before && { before: changed.before }),
    ...(after && { after: changed.after }),
  };
};

/**
 * Creates a role with permissions that the actor has.
 * @throws AppError as `assertStepUp`; VALIDATION_ERROR about a reserved `name`; FORBIDDEN for a permission beyond the actor's, or a rank not below;
 *   CONFLICT about `name` or `label`, or if there are 20
 */
export const create = (
  actor: Actor,
  { name, label, permissions }: RoleFields & { readonly name: string },
  recorder: ChangeRecorder,
): Promise<CountedRole> =>
  retryOnConflict(async () => {
    assertStepUp(actor, reason);
    if (isReservedName(name)) throw invalidField('name', 'is reserved; choose another');
    const all = await readAll();
    const now = new Date().toISOString();
    const role: CustomRole = {
      name,
      label,
      permissions: normalize(permissions),
      createdAt: now,
      updatedAt: now,
      version: 1,
    };
    assertBelow(actor, role, all);
    if (all.roles.some((one) => one.name === name)) throw takenError('name');
    if (all.roles.length >= maxCustomRoles) throw tooManyError();
    assertFreeLabel(role, all);
    const refused = await transact([
      { write: writeAll(all, [...all.roles, role]), refused: 'changed' },
      { write: startCountWrite(role), refused: 'used' },
      ...recorder.steps(audit(undefined, role)),
    ]);
    if (refused?.by === 'used') throw inUseError(Number(refused.item?.['users'] ?? 0));
    return refused ? undefined : { role, users: 0 };
  });

/** Returns what a change removes from a role, with what was removed before within a day; nothing if it removes nothing. */
const rememberRemoved = (
  before: CustomRole,
  permissions: readonly string[],
): Pick<CustomRole, 'removedPermissions'> => {
  const lost = before.permissions.filter((entry) => !covers(permissions, entry));
  if (lost.length === 0) return {};
  const all = [...new Set([...listRecent(before.removedPermissions), ...lost])];
  return { removedPermissions: { at: new Date().toISOString(), permissions: all } };
};

/**
 * Changes a role, with effect at the next request of its users. `edit` returns the changed fields of the current role; it runs
 * again after a concurrent write and can throw. The actor must have what the role grants before and after the change.
 * @throws AppError as `assertStepUp`; NOT_FOUND; FORBIDDEN; PRECONDITION_FAILED; CONFLICT about `label`
 */
export const update = (
  actor: Actor,
  name: string,
  edit: (role: CountedRole) => { readonly [F in keyof RoleFields]?: RoleFields[F] | undefined },
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<CountedRole> =>
  retryOnConflict(async () => {
    assertStepUp(actor, reason);
    assertCustom(name);
    const [item, count] = await batchGet([roleKeys.all.at(), roleKeys.users.at({ role: name })]);
    const all = parseStoredRoles(item);
    const before = all.roles.find((one) => one.name === name);
    if (!before) throw notFound();
    const users = Number(count?.['users'] ?? 0);
    assertBelow(actor, before, all);
    assertVersion(ifMatch, before.version);
    const { label = before.label, permissions: entries = before.permissions } = edit({
      role: before,
      users,
    });
    const permissions = normalize(entries);
    const fields = { label, permissions, ...rememberRemoved(before, permissions) };
    const after = nextVersion(before, fields);
    assertBelow(actor, after, all);
    assertFreeLabel(after, all);
    const audited = audit(before, after);
    if (Object.keys(audited.after ?? {}).length === 0) return { role: before, users };
    const changed = all.roles.map((one) => (one.name === name ? after : one));
    const refused = await transact([
      { write: writeAll(all, changed), refused: 'changed' },
      ...recorder.steps(audited),
    ]);
    return refused ? undefined : { role: after, users };
  });

/**
 * Deletes a role that no user has. Giving it to a user at the same time fails, or this does.
 * @throws AppError as `assertStepUp`; NOT_FOUND; FORBIDDEN for a built-in role, or one beyond the actor; PRECONDITION_FAILED; CONFLICT that says how
 *   many users have it
 */
export const remove = (
  actor: Actor,
  name: string,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<CustomRole> =>
  retryOnConflict(async () => {
    assertStepUp(actor, reason);
    assertCustom(name);
    const all = await readAll();
    const before = all.roles.find((one) => one.name === name);
    if (!before) throw notFound();
    assertBelow(actor, before, all);
    assertVersion(ifMatch, before.version);
    const refused = await transact([
      {
        write: writeAll(
          all,
          all.roles.filter((one) => one !== before),
        ),
        refused: 'changed',
      },
      { write: endCountWrite(name), refused: 'used' },
      ...recorder.steps(audit(before, undefined)),
    ]);
    if (refused?.by === 'used') throw inUseError(Number(refused.item?.['users'] ?? 0));
    return refused ? undefined : before;
  });
