import { type FormerEmail, isInvited, type StoredUser } from '../../../../shared/auth/user.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { createRandomId } from '../../../../shared/db/ids.ts';
import { deleteItemWrite, type Step, type Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { isMailOn } from '../../../../shared/runtime/settings.ts';
import { verificationEmail } from './jobs.ts';
import { accountKeys } from './keys.ts';
import { alertWrite } from './security-alert.ts';

/** How long a change can be undone and the former address stays reserved (decisions.md#security-alerts). */
const undoMs = 72 * 3_600_000;

/** Limits the size of the user's record. At the limit no links are added; older addresses take precedence. */
const maxFormerEmails = 10;

/** Cancels a change of the address that waits to be confirmed, and ends its link. */
export const nothingPending: {
  readonly pendingEmail?: undefined;
  readonly emailTokenHash?: undefined;
  readonly emailTokenExpiresAt?: undefined;
} = { pendingEmail: undefined, emailTokenHash: undefined, emailTokenExpiresAt: undefined };

/** Nothing is known of another address, and no other one waits. */
const nothingKnown: typeof nothingPending & {
  readonly emailProblem?: undefined;
  readonly emailVerifiedAt?: string | undefined;
} = { ...nothingPending, emailProblem: undefined, emailVerifiedAt: undefined };

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
 * Creates the writes that free the former addresses that are reserved for a user, except those given. Others may have taken
 * those whose time is over.
 */
export const releaseEmails = (
  { id, formerEmails = [] }: StoredUser,
  except: readonly string[],
): readonly Step<'changed'>[] => {
  const now = new Date().toISOString();
  // An address that the user left twice has two entries, but one key.
  const reserved = formerEmails.filter(
    ({ email, until }, at) =>
      until > now &&
      !except.some((one) => isSameEmail(one, email)) &&
      at === formerEmails.findLastIndex((one) => isSameEmail(one.email, email)),
  );
  return reserved.map(({ email }) => ({
    write: {
      Delete: {
        TableName: tableName(),
        Key: accountKeys.email.at({ email }),
        ConditionExpression: 'attribute_not_exists(pk) OR heldFor = :userId OR heldUntil <= :now',
        ExpressionAttributeValues: { ':userId': id, ':now': now },
      },
    },
    refused: 'changed',
  }));
};

/** Creates the write that emails a user the link that verifies an address. */
export const verificationWrite = (
  userId: number,
  email: string,
  about: { readonly isReplaced?: true } = {},
): Write => enqueueWrite(verificationEmail, { userId, email, ...about });

/** What a change of the email address writes besides the user's other fields. */
export interface EmailChange {
  readonly fields: typeof nothingKnown & {
    readonly formerEmails?: readonly FormerEmail[] | undefined;
  };
  readonly take?: Write;
  /** Frees or reserves former addresses, and tells the owner. */
  readonly others?: readonly (Write | Step<'changed'>)[];
}

const moveMarker = (user: StoredUser, email: string) => ({
  free: deleteItemWrite(accountKeys.email.at({ email: user.email })),
  take: takeEmail(email, user.id),
});

/**
 * Returns the writes and fields for a change of the email address by its owner; none if it stays the same. `verifiedAt` says
 * when the new address was proven, if it was. A former address that was proven gets a link that undoes the change, and stays
 * reserved while the link is valid. If the account returns to an address that it can be restored to, the links of newer
 * addresses end instead.
 */
export const changeEmail = (user: StoredUser, email: string, verifiedAt?: string): EmailChange => {
  if (isSameEmail(user.email, email)) return { fields: {} };
  const { free, take } = moveMarker(user, email);
  const known = { ...nothingKnown, emailVerifiedAt: verifiedAt };
  // Nobody uses the account yet, and the former address may have been a mistake.
  if (isInvited(user)) return { fields: known, take, others: [free] };
  const now = Date.now();
  const former: FormerEmail = {
    id: createRandomId(),
    email: user.email,
    changedAt: new Date(now).toISOString(),
    until: new Date(now + undoMs).toISOString(),
    ...(user.factorEpoch !== undefined && { factorEpoch: user.factorEpoch }),
  };
  const alert = alertWrite(user, 'email-changed', { id: former.id });
  const valid = (user.formerEmails ?? []).filter(({ until }) => until > former.changedAt);
  const at = valid.findLastIndex((one) => isSameEmail(one.email, email));
  if (at >= 0) {
    return {
      fields: { ...known, formerEmails: valid.slice(0, at + 1) },
      take,
      others: [free, alert],
    };
  }
  // Who had an address that was never proven has no claim to the account. Without email there is no link either.
  if (user.emailVerifiedAt === undefined || !isMailOn() || user.emailProblem) {
    // The link of an earlier change from the same address stays valid.
    const earlier = valid.findLast((one) => isSameEmail(one.email, user.email));
    return {
      fields: known,
      take,
      others: [earlier ? reserveEmail(earlier, user.id) : free, alert],
    };
  }
  return {
    fields: { ...known, formerEmails: [...valid, former].slice(0, maxFormerEmails) },
    take,
    others: [reserveEmail(former, user.id), alert],
  };
};

/**
 * Returns the same for a change by an administrator. It counts at once, the new address is unproven, and every undo link
 * ends (decisions.md#proven-addresses). Both addresses are told.
 */
export const replaceEmail = (user: StoredUser, email: string): EmailChange => {
  if (isSameEmail(user.email, email)) return { fields: {} };
  const { free, take } = moveMarker(user, email);
  const fields = { ...nothingKnown, formerEmails: undefined };
  // Nobody uses the account yet. An invitation tells the new address.
  if (isInvited(user)) return { fields, take, others: [free] };
  return {
    fields,
    take,
    others: [
      free,
      ...releaseEmails(user, [user.email, email]),
      alertWrite(user, 'email-replaced'),
      ...(isMailOn() ? [verificationWrite(user.id, email, { isReplaced: true })] : []),
    ],
  };
};

/**
 * Creates the writes for an address that was asked for, if `after` has one that `before` hasn't: its link, and the alert to
 * the current address.
 */
export const requestWrites = (before: StoredUser, after: StoredUser): readonly Write[] => {
  const isSame =
    before.pendingEmail === after.pendingEmail && before.emailTokenHash === after.emailTokenHash;
  if (after.pendingEmail === undefined || isSame) return [];
  return [alertWrite(before, 'email-requested'), verificationWrite(before.id, after.pendingEmail)];
};

/**
 * Returns the writes and fields that restore a former email address. The links of newer addresses end, because someone
 * who took over the account may have them.
 */
export const restoreEmail = (user: StoredUser, { email }: FormerEmail) => {
  const formerEmails = user.formerEmails ?? [];
  const at = formerEmails.findIndex((one) => isSameEmail(one.email, email));
  return {
    // Only proven addresses can be restored.
    fields: {
      ...nothingKnown,
      emailVerifiedAt: new Date().toISOString(),
      email,
      formerEmails: formerEmails.slice(0, at),
    },
    ...(!isSameEmail(user.email, email) && {
      free: deleteItemWrite(accountKeys.email.at({ email: user.email })),
      take: takeEmail(email, user.id),
    }),
  };
};
