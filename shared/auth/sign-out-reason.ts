/**
 * Why a session has ended before its owner signed out: by an administrator, from another device, because the password
 * changed, to protect the account, because the owner wants it deleted, or by time.
 */
export type SignOutReason =
  | 'administrator'
  | 'device'
  | 'password'
  | 'protection'
  | 'deletion'
  | 'expired';

/** The cause of a refusal of a caller who has proven, by a signature of ours, that the session was theirs. */
export class SessionEnd extends Error {
  readonly reason: SignOutReason;
  constructor(reason: SignOutReason) {
    super(`The session has ended: ${reason}`);
    this.reason = reason;
  }
}
