import type { FormerEmail, StoredUser } from '../../../../shared/auth/user.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { createRandomId } from '../../../../shared/db/ids.ts';
import { deleteItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { accountKeys } from './keys.ts';
import { alertWrite } from './security-alert.ts';

/** How long a change can be undone and the former address stays reserved (decisions.md#security-alerts). */
const undoMs = 72 * 3_600_000;

/** Limits the size of the user's record. At the limit no links are added; older addresses take precedence. */
const maxFormerEmails = 10;

/** Nothing is known of another address. */
const nothingKnown: { readonly emailProblem?: undefined } = { emailProblem: undefined };

const isSameEmail = (a: string, b: string): boolean =>
  accountKeys.email.partition({ email: a }).pk === accountKeys.email.partition({ email: b }).pk;

/** Creates the write that takes an address for a user. It must be free, reserved for that user or no longer reserved. */
export const takeEmail = (email: string, userId: number): Write => ({
  Put: {
    TableName: tableName(),
    Item: { userId, ...accountKeys.email.at({ email }) },
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
      ...accountKeys.email.at({ email }),
    },
  },
});

/**
 * Returns the writes and fields for a change of the email address; none if it stays the same. The former address gets a link
 * that undoes the change, and stays reserved while the link is valid. If the account returns to an address that it can be
 * restored to, the links of newer addresses end instead.
 */
export const changeEmail = (
  user: StoredUser,
  email: string,
): {
  readonly fields: Pick<StoredUser, 'formerEmails'> & typeof nothingKnown;
  /** Frees or reserves the former address. */
  readonly free?: Write;
  readonly take?: Write;
  readonly alert?: Write;
} => {
  if (isSameEmail(user.email, email)) return { fields: {} };
  const markers = {
    free: deleteItemWrite(accountKeys.email.at({ email: user.email })),
    take: takeEmail(email, user.id),
  };
  // Without a password the account is unused, and the former address may have been a mistake.
  if (user.passwordHash === undefined) return { fields: nothingKnown, ...markers };
  const now = Date.now();
  const former: FormerEmail = {
    id: createRandomId(),
    email: user.email,
    changedAt: new Date(now).toISOString(),
    until: new Date(now + undoMs).toISOString(),
  };
  const alert = alertWrite(user, 'email-changed', { id: former.id });
  const valid = (user.formerEmails ?? []).filter(({ until }) => until > former.changedAt);
  const at = valid.findLastIndex((one) => isSameEmail(one.email, email));
  if (at >= 0)
    return { fields: { ...nothingKnown, formerEmails: valid.slice(0, at + 1) }, ...markers, alert };
  // Without email there is no link, so no reason to reserve the address.
  if (getSetting('MAIL_FROM') === undefined || user.emailProblem)
    return { fields: nothingKnown, ...markers, alert };
  return {
    fields: { ...nothingKnown, formerEmails: [...valid, former].slice(0, maxFormerEmails) },
    ...markers,
    free: reserveEmail(former, user.id),
    alert,
  };
};

/**
 * Returns the writes and fields that restore a former email address. The links of newer addresses end, because someone
 * who took over the account may have them.
 */
export const restoreEmail = (user: StoredUser, { email }: FormerEmail) => {
  const formerEmails = user.formerEmails ?? [];
  const at = formerEmails.findIndex((one) => isSameEmail(one.email, email));
  return {
    fields: { ...nothingKnown, email, formerEmails: formerEmails.slice(0, at) },
    ...(!isSameEmail(user.email, email) && {
      free: deleteItemWrite(accountKeys.email.at({ email: user.email })),
      take: takeEmail(email, user.id),
    }),
  };
};
