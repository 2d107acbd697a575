import { type Key, keys } from '../../shared/table.ts';

const inIndex = ({ pk, sk }: Key) => ({ gsi1pk: pk, gsi1sk: sk });

/** Where a gate stands in the index, for what is to be done about its share at a time (ISO 8601). */
export const ends = {
  /** The share ends, or ended, at this time: its content is to be deleted after it. */
  planned: (at: string, shareId: string) => inIndex(keys.shareEnds(at, shareId)),
  /** The tombstone is to be forgotten at this time. */
  forgotten: (at: string, shareId: string) => inIndex(keys.shareTombstones(at, shareId)),
  none: { gsi1pk: undefined, gsi1sk: undefined },
} as const;
