import { refusedField } from '../runtime/errors.ts';
import { getSetting } from '../runtime/settings.ts';
import { describeSpan } from '../text/time-span.ts';

/** What of a share says when it expires. */
interface Aging {
  readonly createdAt: string;
  readonly expiresAt?: string | undefined;
}

const toIso = (ms: number): string => new Date(ms).toISOString();

/** Returns how long a share lives at most, in seconds; `undefined` if its owner decides. */
export const getMaxShareSeconds = (): number | undefined => {
  const maxAge = getSetting('MAX_SHARE_AGE');
  return maxAge === undefined ? undefined : maxAge / 1_000;
};

/** Returns when a share that was created at a time ends at the latest (ms since 1970); `undefined` without MAX_SHARE_AGE. */
export const getLatestEnd = (createdAt: number): number | undefined => {
  const maxAge = getSetting('MAX_SHARE_AGE');
  return maxAge === undefined ? undefined : createdAt + maxAge;
};

/**
 * Returns when a share expires (ISO 8601): at its own time or by its age, whichever comes first; `undefined` without either.
 * `expiresAt` of the record alone says when it does if MAX_SHARE_AGE allows that.
 */
export const getExpiry = ({ createdAt, expiresAt }: Aging): string | undefined => {
  const latest = getLatestEnd(Date.parse(createdAt));
  if (latest === undefined) return expiresAt;
  return expiresAt !== undefined && Date.parse(expiresAt) <= latest ? expiresAt : toIso(latest);
};

/** Returns an end (ms since 1970) as MAX_SHARE_AGE allows it for a new share; left out, it is the latest. */
export const limitExpiry = (asked: number | undefined, createdAt: number): number | undefined => {
  const latest = getLatestEnd(createdAt);
  return latest === undefined ? asked : Math.min(asked ?? Infinity, latest);
};

/**
 * Asserts that MAX_SHARE_AGE allows an end that is asked for (ms since 1970). `null` asks for none.
 * @throws AppError UNPROCESSABLE that names the latest end
 */
export const assertAge = (asked: number | null | undefined, createdAt: number): void => {
  const latest = getLatestEnd(createdAt);
  if (latest === undefined || asked === undefined) return;
  if (asked !== null && asked <= latest) return;
  const span = describeSpan((latest - createdAt) / 1_000);
  throw refusedField(
    'expiresAt',
    `exceeds MAX_SHARE_AGE of this service: a share lives for ${span} at most, this one until ${toIso(latest)}`,
  );
};
