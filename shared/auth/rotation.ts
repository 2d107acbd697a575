/** What a session, or a login of a connected app, remembers of its refresh token. */
export interface Rotating {
  /** Number of rotations of the refresh token. */
  readonly rotation: number;
  /** Last rotation of the refresh token. Absent before the first one. */
  readonly rotatedAt?: string;
  /** The last rotation of which an access token was accepted. */
  readonly acceptedRotation?: number;
}

/** Repeating a refresh within this time returns the same tokens, for parallel requests (decisions.md#sessions). */
const replayMs = 10_000;

/** The same for a lost response: within this time, while none of its tokens has been accepted. */
const lostMs = 24 * 60 * 60_000;

/** Returns whether the refresh token before the current one returns the current tokens again, at a time (ms since 1970). */
export const isReplayable = (
  { rotation, rotatedAt, acceptedRotation }: Rotating,
  at: number,
): boolean => {
  const age = at - Date.parse(rotatedAt ?? '');
  return age < replayMs || (age < lostMs && acceptedRotation !== rotation);
};

/**
 * Returns whether this is the first use of the access tokens of the current rotation. Those of a sign-in follow no other, so
 * that nothing depends on their use.
 */
export const isFirstUse = ({ rotation, acceptedRotation }: Rotating, ofToken: number): boolean =>
  ofToken > 0 && ofToken === rotation && ofToken !== acceptedRotation;
