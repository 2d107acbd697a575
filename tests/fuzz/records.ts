/** What a run knows of, by what it is. */
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

/** `trashed` is deleted, but may be taken back. */
type Life = 'live' | 'trashed' | 'deleted';

interface Known {
  readonly id: string;
  /** The user who made it, where the run has seen that. */
  ownerId: number | undefined;
  life: Life;
  /** Users who have deleted their copy. */
  readonly deletedFor: Set<number>;
}

/** A run of some hours must not fill the memory. */
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

/** What the id in a path is of. */
export const kindOfPath = (path: string): Kind | undefined =>
  prefixes.find(([prefix]) => path.startsWith(prefix))?.[1];

/** The records that a run has made or seen, by kind and id. */
export const createRecords = () => {
  const byKind = new Map<Kind, Map<string, Known>>();
  const of = (kind: Kind): Map<string, Known> => {
    const known = byKind.get(kind) ?? new Map<string, Known>();
    byKind.set(kind, known);
    return known;
  };
  return {
    /** Notes a record down; what is known of one already stays. */
    add(kind: Kind, id: string, ownerId?: number): void {
      const known = of(kind);
      if (known.has(id)) return;
      known.set(id, { id, ownerId, life: 'live', deletedFor: new Set() });
      const [oldest] = known.keys();
      if (known.size > mostOfAKind && oldest !== undefined) known.delete(oldest);
    },
    /** A removed user's records may have gone to another. */
    disown(ownerId: number): void {
      for (const known of byKind.values()) {
        for (const one of known.values()) if (one.ownerId === ownerId) one.ownerId = undefined;
      }
    },
    find: (kind: Kind, id: string): Known | undefined => of(kind).get(id),
    /** One of the latest, deleted ones too; `undefined` while there is none. */
    pick(kind: Kind, at: number): string | undefined {
      const ids = [...of(kind).keys()].slice(-30);
      return ids[at % Math.max(1, ids.length)];
    },
  };
};

export type Records = ReturnType<typeof createRecords>;
