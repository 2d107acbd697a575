/** Work that can't be done yet and has changed nothing. It is to be tried again after a delay. */
export class DeferredError extends Error {
  override readonly name = 'DeferredError';
  readonly delaySeconds: number;

  constructor(message: string, delaySeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.delaySeconds = delaySeconds;
  }
}
