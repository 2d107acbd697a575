import type { FormerEmail, StoredUser } from '../../../../shared/auth/user.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { createRandomId } from '../../../../shared/db/ids.ts';
import { keys } from '../../../../shared/db/table.ts';
import { deleteItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { alertWrite } from './security-alert.ts';

/** How long a change can be undone, and the former address stays reserved (decisions.md#security-alerts). */
const undoMs = 72 * 3_600_000;

/** Bounds the user's record. Past it no links are added; those of older addresses, which win, stay valid. */
const maxFormerEmails = 10;

const isSameEmail = (a: string, b: string): boolean => keys.email(a).pk === keys.email(b).pk;

/** Creates the write that takes an address for a user: it must be free, reserved for that user or no longer reserved. */
export const takeEmail = (email: string, userId: number): Write => ({
  Put: {
    TableName: tableName(),
    Item: { userId, ...keys.email(email) },
    ConditionExpression: 'attribute_not_exists(pk) OR heldFor = :userId OR heldUntil <= :now',
    ExpressionAttributeValues: { ':userId': userId, ':now': new Date().toISOString() },
  },
});

const reserveEmail = ({ email, until }: FormerEmail, userId: number): Write => ({
  Put: {
    TableName: tableName(),
    Item: {
      heldFor: userId,
      heldUntil: until,
      ttl: Math.ceil(Date.parse(until) / 1_000),
      ...keys.email(email),
    },
  },
});

/**
 * Returns the writes and the field of the user that a change of the address comes with; nothing where it stays the same.
 * The former address gets a link that undoes the change and is reserved as long as the link is valid, unless the account
 * returns to an address it can be restored to: an older address wins over every newer one.
 */
export const changeEmail = (
  seen: StoredUser,
  email: string,
): {
  readonly fields: Pick<StoredUser, 'formerEmails'>;
  readonly markers: Partial<Record<'freeEmail' | 'takeEmail', Write>>;
  readonly alert?: Write;
} => {
  if (isSameEmail(seen.email, email)) return { fields: {}, markers: {} };
  const markers = {
    freeEmail: deleteItemWrite(keys.email(seen.email)),
    takeEmail: takeEmail(email, seen.id),
  };
  // Without a password nobody has used the account yet, and the address may have been a mistake.
  if (seen.passwordHash === undefined) return { fields: {}, markers };
  const now = Date.now();
  const former: FormerEmail = {
    id: createRandomId(),
    email: seen.email,
    changedAt: new Date(now).toISOString(),
    until: new Date(now + undoMs).toISOString(),
  };
  const alert = alertWrite(seen, 'email-changed', { id: former.id });
  const valid = (seen.formerEmails ?? []).filter(({ until }) => until > former.changedAt);
  const at = valid.findLastIndex((one) => isSameEmail(one.email, email));
  if (at >= 0) return { fields: { formerEmails: valid.slice(0, at + 1) }, markers, alert };
  // Without mail there is no link, and nothing to reserve the address for.
  if (getSetting('MAIL_FROM') === undefined) return { fields: {}, markers, alert };
  return {
    fields: { formerEmails: [...valid, former].slice(0, maxFormerEmails) },
    markers: { ...markers, freeEmail: reserveEmail(former, seen.id) },
    alert,
  };
};

/**
 * Returns the writes and the fields of the user that restore a former address. The links of addresses that came after it
 * end: they may be in the mailbox of whoever took the account over.
 */
export const restoreEmail = (user: StoredUser, { email }: FormerEmail) => {
  const formerEmails = user.formerEmails ?? [];
  const at = formerEmails.findIndex((one) => isSameEmail(one.email, email));
  return {
    fields: { email, formerEmails: formerEmails.slice(0, at) },
    markers: isSameEmail(user.email, email)
      ? {}
      : {
          freeEmail: deleteItemWrite(keys.email(user.email)),
          takeEmail: takeEmail(email, user.id),
        },
  };
};
