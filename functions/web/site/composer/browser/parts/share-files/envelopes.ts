import type { Sealer } from '../sealing/sealer.ts';

/** What seals the files of the share, once something did. */
const current: { sealer?: Sealer } = {};

/** Notes what seals the files from now on. */
export const noteSealer = (sealer: Sealer): void => {
  current.sealer = sealer;
};

/** Returns the envelope of bytes, if they were sealed. */
export const findEnvelope = (bytes: Blob): Blob | undefined => current.sealer?.findEnvelope(bytes);
