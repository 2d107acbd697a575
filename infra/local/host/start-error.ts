/** A start that can't be: the message is the one sentence that tells a person what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
