import { userKeys } from '../../../../shared/auth/keys.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { updateFields, versionCondition } from '../../../../shared/db/field-update.ts';
import {
  createItemWrite,
  deleteItemWrite,
  type Step,
  transact,
  type Write,
} from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { allOwnEvents, isOwnEvent } from '../../../../shared/webhooks/events.ts';
import { webhookRemoval } from '../../../../shared/webhooks/jobs.ts';
import { webhookKeys } from '../../../../shared/webhooks/keys.ts';
import type { Owner } from './owner.ts';
import { isActive, listAuditNames, type StoredWebhook } from './webhook.ts';

/** Returns the own events that active webhooks want, for the user's record; `undefined` for none. */
const listWanted = (webhooks: readonly StoredWebhook[]): readonly string[] | undefined => {
  const names = webhooks.filter(isActive).flatMap(({ events }) => events);
  if (names.includes(allOwnEvents)) return [allOwnEvents];
  const own = [...new Set(names.filter(isOwnEvent))].sort();
  return own.length > 0 ? own : undefined;
};

/**
 * Creates the write that says on a user's record what their webhooks want. It is refused if others of them have changed since
 * they were read, so that what it says, and their number, are exact.
 */
const ownerWrite = ({ user }: Owner, webhooks: readonly StoredWebhook[]): Write => {
  const { id, webhookChanges: seen } = user;
  return updateFields(
    userKeys.record.at({ id }),
    { webhookEvents: listWanted(webhooks), webhookChanges: (seen ?? 0) + 1 },
    seen === undefined
      ? { expression: 'attribute_exists(pk) AND attribute_not_exists(webhookChanges)' }
      : { expression: 'webhookChanges = :seenChanges', values: { ':seenChanges': seen } },
  );
};

const auditNamesOf = (webhook: StoredWebhook | undefined): readonly string[] =>
  webhook && isActive(webhook) ? listAuditNames(webhook.events) : [];

/** Creates the write that lists a webhook among those that want names of the audit, or no longer does. */
const auditWrite = (
  userId: number,
  id: number,
  before: readonly string[],
  after: readonly string[],
): Write | undefined => {
  if (before.join() === after.join()) return undefined;
  const key = webhookKeys.ofAudit.at({ userId, id });
  if (after.length === 0) return deleteItemWrite(key);
  return { Put: { TableName: tableName(), Item: { ...key, userId, hookId: id, events: after } } };
};

/** Creates the write of a webhook: only its changed fields, because its deliveries change others at any time. */
const recordWrite = (
  userId: number,
  before: StoredWebhook | undefined,
  after: StoredWebhook | undefined,
): Write | undefined => {
  const id = (after ?? before)?.id ?? 0;
  const key = webhookKeys.hook.at({ userId, id });
  if (!before) return after && createItemWrite(key, after);
  const { expression: ConditionExpression, values } = versionCondition(before.version);
  if (!after) {
    return {
      Delete: {
        TableName: tableName(),
        Key: key,
        ConditionExpression,
        ExpressionAttributeValues: values ?? {},
      },
    };
  }
  const [seen, next]: Record<string, unknown>[] = [{ ...before }, { ...after }];
  const names = Object.keys({ ...seen, ...next }).filter(
    (name) => JSON.stringify(seen?.[name]) !== JSON.stringify(next?.[name]),
  );
  return updateFields(
    key,
    Object.fromEntries(names.map((name) => [name, next?.[name]])),
    versionCondition(before.version),
  );
};

/**
 * Creates the steps that make `after` of a user's webhook `before`: absent, it is new, or deleted with its deliveries. They are
 * refused as `changed` if any webhook of the user has changed since the owner was read.
 */
export const changeSteps = (
  owner: Owner,
  before: StoredWebhook | undefined,
  after: StoredWebhook | undefined,
): readonly Step<'changed'>[] => {
  const { id = 0 } = after ?? before ?? {};
  const userId = owner.user.id;
  const others = owner.webhooks.filter((one) => one.id !== id);
  return [
    { write: ownerWrite(owner, after ? [...others, after] : others), refused: 'changed' },
    { write: recordWrite(userId, before, after), refused: 'changed' },
    { write: auditWrite(userId, id, auditNamesOf(before), auditNamesOf(after)) },
    { write: after ? undefined : enqueueWrite(webhookRemoval, { hookId: id }) },
  ];
};

/** Deletes what ended with the API tokens of its user, which nobody sees any more. */
export const deleteEnded = async ({ user, ended }: Owner): Promise<void> => {
  for (const { id } of ended) {
    await transact([
      deleteItemWrite(webhookKeys.hook.at({ userId: user.id, id })),
      deleteItemWrite(webhookKeys.ofAudit.at({ userId: user.id, id })),
      enqueueWrite(webhookRemoval, { hookId: id }),
    ]);
  }
};

/** Corrects what a user's record says that their webhooks want, for those that have ended. A change in between has done it. */
export const correctWanted = async (owner: Owner): Promise<void> => {
  const { webhookEvents } = owner.user;
  if (webhookEvents?.join() === listWanted(owner.webhooks)?.join()) return;
  await transact([{ write: ownerWrite(owner, owner.webhooks), refused: 'changed' }]);
};
