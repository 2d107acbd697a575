import type { Asked, Service } from './aws-request.ts';

/** Kinds of faults of a request. */
export type FaultKind =
  /** Rejected because of too many requests. */
  | 'throttle'
  /** Accepted, but neither processed nor answered. */
  | 'hang'
  /** Processed, but the response is lost. */
  | 'drop-answer'
  /** Processed, but the connection breaks during the response. */
  | 'cut-answer'
  /** The connection breaks, and new ones are rejected until the fault is lifted. */
  | 'refuse'
  /** Answered with a delay of some milliseconds. */
  | 'slow'
  /** `act` is awaited, then the request is processed normally. */
  | 'late'
  /** Each page of a query or scan has one item. */
  | 'one-item-pages'
  /** Half of a batch is left unprocessed, or all of it. */
  | 'half-unprocessed'
  | 'all-unprocessed'
  /** `act` is awaited before or after the request is processed, and then the connection breaks. */
  | 'act-before'
  | 'act-after';

/** A fault of matching requests; without an operation or resource, it matches any. */
export interface Fault {
  readonly kind: FaultKind;
  readonly service: Service;
  readonly operation?: string;
  readonly resource?: string;
  /** Number of the first affected matching request, from 1, including retries. Default: 1. */
  readonly nth?: number;
  /** Number of affected requests from that one on. Default: 1. */
  readonly times?: number;
  readonly act?: () => unknown;
}

const anywhere = ['hang', 'drop-answer', 'cut-answer', 'refuse', 'slow'] as const;

/**
 * Returns the kinds of faults of a request that need a connection. What becomes of the errors that AWS answers is proven on
 * mocked clients, by `tests/contract/aws.test.ts`.
 */
export const kindsFor = ({ service, operation }: Asked): readonly FaultKind[] => [
  ...anywhere,
  ...(service !== 'dynamodb'
    ? []
    : [
        ...(['Query', 'Scan'].includes(operation) ? (['one-item-pages'] as const) : []),
        ...(operation.startsWith('Batch')
          ? (['half-unprocessed', 'all-unprocessed'] as const)
          : []),
      ]),
];

const fits = (fault: Fault, asked: Asked): boolean =>
  fault.service === asked.service &&
  (fault.operation ?? asked.operation) === asked.operation &&
  (fault.resource ?? asked.resource) === asked.resource;

/** Creates a plan of faults, which counts the matching requests. */
export const planOf = (faults: readonly Fault[]) => {
  const counts = faults.map(() => 0);
  return {
    /** Counts a request and returns its fault, if any. */
    next: (asked: Asked): Fault | undefined => {
      let met: Fault | undefined;
      for (const [at, fault] of faults.entries()) {
        if (!fits(fault, asked)) continue;
        const count = (counts[at] ?? 0) + 1;
        counts[at] = count;
        const { nth = 1, times = 1 } = fault;
        if (count >= nth && count < nth + times) met ??= fault;
      }
      return met;
    },
    /** Returns the number of affected requests per fault. */
    met: (): number[] =>
      faults.map(({ nth = 1, times = 1 }, at) =>
        Math.max(0, Math.min((counts[at] ?? 0) - nth + 1, times)),
      ),
  };
};

export type Plan = ReturnType<typeof planOf>;
