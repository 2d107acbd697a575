/**
 * Why an address was not fetched. The first two are about the address itself; of the others, `silent`, `insecure`, `late` and
 * `failing` say that its host is not what it usually is.
 */
export type OutboundReason =
  | 'address'
  | 'not-public'
  | 'unknown-host'
  | 'silent'
  | 'insecure'
  | 'late'
  | 'failing'
  | 'redirect'
  | 'status'
  | 'type'
  | 'size';

const outages: readonly OutboundReason[] = [
  'unknown-host',
  'silent',
  'insecure',
  'late',
  'failing',
];

/**
 * A public address that was not fetched. The message completes "<field> …" and may be shown: it says what an outsider sees of
 * that host too. The cause may not.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  /** Whether the same address may be fetched again later, as its host gave no answer of its own. */
  get isOutage(): boolean {
    return outages.includes(this.reason);
  }
}
