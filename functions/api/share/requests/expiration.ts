import * as z from 'zod';
import { integer, optional } from '../../../../shared/input/fields.ts';
import { maxExpirySeconds } from '../../../../shared/input/share-limits.ts';
import type { ErrorDetail } from '../../../../shared/runtime/errors.ts';

/** Index keys sort by time as text, which requires four-digit years in UTC. */
const afterLastYear = Date.UTC(10_000, 0, 1);

/** When a share or recipient link ends: after some seconds, or at a time. */
export const expirationFields = {
  expiresIn: optional(integer(maxExpirySeconds)),
  expiresAt: optional(
    z.iso.datetime({ offset: true, error: 'must be a time such as 2030-01-31T12:00:00Z' }),
  ),
};

type Expiration = Partial<z.output<z.ZodObject<typeof expirationFields>>>;

/** A rule for fields: whether it is broken, the field to change and what is wrong with it. */
type Rule = readonly [isBroken: boolean, field: string, message: string];

/** Returns the rules that are broken. */
export const findBroken = (rules: readonly Rule[]): readonly ErrorDetail[] =>
  rules.filter(([isBroken]) => isBroken).map(([, field, message]) => ({ field, message }));

/** Creates the check of a schema that its input breaks none of these rules. */
export const refuseConflicts =
  <Input>(findConflicts: (input: Input) => readonly ErrorDetail[]) =>
  (input: Input, context: z.RefinementCtx): void => {
    for (const { field, message } of findConflicts(input)) {
      context.addIssue({ code: 'custom', path: [field], message });
    }
  };

/** Finds what is invalid in combination, or at this time. */
export const findExpirationConflicts = ({
  expiresIn,
  expiresAt,
}: Expiration): readonly ErrorDetail[] =>
  findBroken([
    [expiresAt != null && expiresIn != null, 'expiresAt', 'cannot be combined with expiresIn'],
    [
      expiresAt != null && Date.parse(expiresAt) <= Date.now(),
      'expiresAt',
      'must be in the future',
    ],
    [
      expiresAt != null && Date.parse(expiresAt) >= afterLastYear,
      'expiresAt',
      'must be before the year 10000',
    ],
  ]);

/** Returns the time that is asked for, in ms since 1970. */
export const toExpiry = ({ expiresIn, expiresAt }: Expiration): number | undefined => {
  if (expiresIn != null) return Date.now() + expiresIn * 1_000;
  return expiresAt == null ? undefined : Date.parse(expiresAt);
};
