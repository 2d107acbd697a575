/** The kinds of records that a run knows. */
export type Kind =
  | 'user'
  | 'document'
  | 'file'
  | 'message'
  | 'conversation'
  | 'notification'
  | 'event'
  | 'sale'
  | 'share'
  | 'session'
  | 'apiToken'
  | 'cursor'
  | 'etag'
  | 'refreshToken'
  | 'feedToken'
  | 'eventStart'
  | 'email';

/** `trashed` is deleted, but can be restored. */
type Life = 'live' | 'trashed' | 'deleted';

interface Known {
  readonly id: string;
  /** The owner, if known. */
  ownerId: number | undefined;
  life: Life;
  /** Users who have deleted their copy. */
  readonly deletedFor: Set<number>;
}

/** Limits the memory of long runs. */
const mostOfAKind = 2_000;

const prefixes: readonly (readonly [string, Kind])[] = [
  ['/api/users', 'user'],
  ['/api/documents', 'document'],
  ['/api/files', 'file'],
  ['/api/messages/conversations', 'conversation'],
  ['/api/messages', 'message'],
  ['/api/notifications', 'notification'],
  ['/api/calendar/events', 'event'],
  ['/api/sales', 'sale'],
  ['/api/share', 'share'],
  ['/s/', 'share'],
  ['/{id}', 'share'],
  ['/api/auth/sessions', 'session'],
  ['/api/auth/tokens', 'apiToken'],
];

/** Returns the kind of record that the id in a path identifies. */
export const kindOfPath = (path: string): Kind | undefined =>
  prefixes.find(([prefix]) => path.startsWith(prefix))?.[1];

/** Stores the records that a run has created or seen, by kind and id. */
export const createRecords = () => {
  const byKind = new Map<Kind, Map<string, Known>>();
  const of = (kind: Kind): Map<string, Known> => {
    const known = byKind.get(kind) ?? new Map<string, Known>();
    byKind.set(kind, known);
    return known;
  };
  return {
    /** Adds a record, unless it is known. */
    add(kind: Kind, id: string, ownerId?: number): void {
      const known = of(kind);
      if (known.has(id)) return;
      known.set(id, { id, ownerId, life: 'live', deletedFor: new Set() });
      const [oldest] = known.keys();
      if (known.size > mostOfAKind && oldest !== undefined) known.delete(oldest);
    },
    /** Removes a deleted user as owner, because the records may have a new one. */
    disown(ownerId: number): void {
      for (const known of byKind.values()) {
        for (const one of known.values()) if (one.ownerId === ownerId) one.ownerId = undefined;
      }
    },
    find: (kind: Kind, id: string): Known | undefined => of(kind).get(id),
    /** Returns one of the latest records, including deleted ones, or `undefined`. */
    pick(kind: Kind, at: number): string | undefined {
      const ids = [...of(kind).keys()].slice(-30);
      return ids[at % Math.max(1, ids.length)];
    },
  };
};

export type Records = ReturnType<typeof createRecords>;
