import type { Actor, Ceiling } from '../../../../shared/auth/actor.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import type { Step } from '../../../../shared/db/transaction.ts';
import { type Audience, isWider } from '../../../../shared/permissions/audiences.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { describeCount, describeSpan } from '../../../../shared/text/time-span.ts';
import { shareKeys } from './keys.ts';

/** Creates the error of an API token that exceeds its ceiling; it names what may be published and each rule that is broken. */
const refuse = (rules: readonly string[], pages?: string): AppError => {
  const what = [pages, rules.join(' and ')].filter((part) => part !== undefined && part !== '');
  return new AppError('FORBIDDEN', `This token may publish only ${what.join(', ')}.`);
};

/** What pages with an audience are called. */
const pagesFor: Readonly<Record<Audience, string>> = {
  private: 'private pages',
  people: 'pages for people you choose',
  members: 'pages for signed-in members',
  link: 'pages',
};

/** The limits of a share or recipient link. Times are in ms since 1970; absent is unlimited. */
interface Limits {
  readonly audience: Audience;
  readonly createdAt: number;
  readonly viewLimit: number | undefined;
  readonly expiresAt: number | undefined;
}

/** @throws AppError FORBIDDEN that names each rule that the limits break */
const assertWithin = (
  { maxAudience = 'link', maxViews, maxAge }: Ceiling,
  { audience, createdAt, viewLimit = Infinity, expiresAt = Infinity }: Limits,
): void => {
  const rules: string[] = [];
  const pages = isWider(audience, maxAudience) ? pagesFor[maxAudience] : undefined;
  if (maxAge !== undefined && expiresAt > createdAt + maxAge * 1_000) {
    rules.push(`for up to ${describeSpan(maxAge)}`);
  }
  if (maxViews !== undefined && viewLimit > maxViews) {
    rules.push(`with up to ${describeCount(maxViews, 'view')}`);
  }
  if (pages !== undefined || rules.length > 0) throw refuse(rules, pages);
};

/**
 * Returns the input of a new share or link as the ceiling of the caller's API token allows it: limits that are left out become
 * the most that is allowed. `audience` is who could open it.
 * @throws AppError FORBIDDEN that names the rule for a limit that is asked for and exceeds the ceiling
 */
export const narrow = <
  Input extends {
    readonly viewLimit?: number | null | undefined;
    readonly expiresAt?: number | undefined;
  },
>(
  { token }: Actor,
  input: Input,
  audience: Audience,
): Input => {
  const ceiling = token?.ceiling;
  if (!ceiling) return input;
  const now = Date.now();
  const { maxViews, maxAge } = ceiling;
  const viewLimit = input.viewLimit ?? maxViews;
  const expiresAt = input.expiresAt ?? (maxAge === undefined ? undefined : now + maxAge * 1_000);
  assertWithin(ceiling, { audience, createdAt: now, viewLimit, expiresAt });
  return { ...input, viewLimit, expiresAt };
};

/**
 * Asserts that a share, as a change with an API token leaves it, is within the token's ceiling: so extending it again and
 * again, or new content for a share without limits, gets around nothing.
 * @throws AppError FORBIDDEN that names the rule
 */
export const assertWithinCeiling = (
  { token }: Pick<Actor, 'token'>,
  {
    audience,
    createdAt,
    viewLimit,
    expiresAt,
  }: {
    readonly audience: Audience;
    readonly createdAt: string;
    readonly viewLimit: number | undefined;
    readonly expiresAt: string | undefined;
  },
): void => {
  if (!token?.ceiling) return;
  assertWithin(token.ceiling, {
    audience,
    createdAt: Date.parse(createdAt),
    viewLimit,
    expiresAt: expiresAt === undefined ? undefined : Date.parse(expiresAt),
  });
};

/**
 * Creates the step that counts a new share for the API token of its day, if its ceiling has a number. It belongs to the
 * transaction of the share, so a share that isn't created isn't counted, and a repeated request counts once.
 */
export const countPublished = ({ user, token }: Actor): Step | undefined => {
  const max = token?.ceiling?.sharesPerDay;
  if (!token || max === undefined) return undefined;
  const now = Date.now();
  const day = new Date(now).toISOString().slice(0, 10);
  return {
    write: {
      Update: {
        TableName: tableName(),
        Key: shareKeys.published.at({ ownerId: user.id, tokenId: token.id, day }),
        UpdateExpression: 'SET #ttl = :ttl ADD shares :one',
        ConditionExpression: 'attribute_not_exists(shares) OR shares < :max',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':one': 1,
          ':max': max,
          ':ttl': Math.ceil(now / 1_000) + 2 * 86_400,
        },
      },
    },
    refused: () => refuse([`${describeCount(max, 'share')} a day. Try again tomorrow (UTC)`]),
  };
};
