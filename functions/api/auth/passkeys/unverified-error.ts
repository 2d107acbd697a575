/** A response that is not of the passkey, the page, the host or the challenge that it must be of. */
export class UnverifiedError extends Error {
  override readonly name = 'UnverifiedError';
}
