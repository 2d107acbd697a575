import type { StoredUser } from '../../../../shared/auth/user.ts';
import type { Step } from '../../../../shared/db/transaction.ts';
import { nothingPending, releaseEmails } from './email-change.ts';

/** What proving the address of an account for the first time changes. */
export interface FirstProof {
  readonly fields: { readonly [F in keyof StoredUser]?: StoredUser[F] | undefined };
  /** They free the reserved former addresses. */
  readonly steps: readonly Step<'changed'>[];
}

/**
 * Returns what proves the address of an account for the first time and ends all that was there before, which someone else may
 * have set up: sessions, API tokens, calendar feeds and connected apps, a waiting address, undo links, links for the password
 * and known places of sign-in (decisions.md#proven-addresses). The caller ends the second factors and connected accounts.
 */
export const proveFirst = (user: StoredUser, now: string): FirstProof => ({
  fields: {
    ...nothingPending,
    emailVerifiedAt: now,
    sessionEpoch: user.sessionEpoch + 1,
    sessionsEndedBy: 'protection',
    tokenEpoch: (user.tokenEpoch ?? 0) + 1,
    formerEmails: undefined,
    passwordTokenHash: undefined,
    passwordTokenExpiresAt: undefined,
    secondFactors: undefined,
    signInPlaces: undefined,
    webhookEvents: undefined,
  },
  steps: releaseEmails(user, [user.email]),
});
