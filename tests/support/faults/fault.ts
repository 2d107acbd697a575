import type { Asked, Service } from './aws-request.ts';

/** What goes wrong with a request. */
export type FaultKind =
  /** Refused because there are too many. */
  | 'throttle'
  /** Another transaction is at the same items. */
  | 'conflict'
  /** A transaction is cancelled because one of its items is throttled. */
  | 'item-throttle'
  /** The same transaction, by its token, is still being done. */
  | 'in-progress'
  /** A failure inside the service. */
  | 'server-error'
  /** Taken and never answered; nothing is done. */
  | 'hang'
  /** Done, but the answer never arrives. */
  | 'drop-answer'
  /** Done, but the connection breaks within the answer. */
  | 'cut-answer'
  /** The connection breaks, and from then on none is taken until the fault is over. */
  | 'refuse'
  /** Answered some milliseconds late. */
  | 'slow'
  /** `act` is awaited, then it is done and answered. */
  | 'late'
  /** Each page of a query or scan has one item. */
  | 'one-item-pages'
  /** Half of a batch is left undone, or all of it. */
  | 'half-unprocessed'
  | 'all-unprocessed'
  /** `act` is awaited before the request is done, or after it, and then the connection breaks. */
  | 'act-before'
  | 'act-after';

/** One fault, of the requests that fit: without an operation or a resource, of any. */
export interface Fault {
  readonly kind: FaultKind;
  readonly service: Service;
  readonly operation?: string;
  readonly resource?: string;
  /** Which of the requests that fit, counted from 1, retries too; the first unless it is said. */
  readonly nth?: number;
  /** How many of them from that one on; one unless it is said. */
  readonly times?: number;
  readonly act?: () => unknown;
}

const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];
const anywhere = [
  'throttle',
  'server-error',
  'hang',
  'drop-answer',
  'cut-answer',
  'refuse',
  'slow',
] as const;

/** The kinds of faults that a request can meet with. */
export const kindsFor = ({ service, operation }: Asked): readonly FaultKind[] => [
  ...anywhere,
  ...(service !== 'dynamodb'
    ? []
    : [
        ...(writes.includes(operation) ? (['conflict'] as const) : []),
        ...(operation === 'TransactWriteItems' ? (['item-throttle', 'in-progress'] as const) : []),
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

/** The faults that are to happen, and how many requests fitted each. */
export const planOf = (faults: readonly Fault[]) => {
  const counts = faults.map(() => 0);
  return {
    /** Counts a request and answers the fault that it meets with. */
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
    /** How many requests of those that fit a fault it happened to. */
    met: (): number[] =>
      faults.map(({ nth = 1, times = 1 }, at) =>
        Math.max(0, Math.min((counts[at] ?? 0) - nth + 1, times)),
      ),
  };
};

export type Plan = ReturnType<typeof planOf>;
