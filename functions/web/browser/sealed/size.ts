// How large envelopes get, so that what is too large is said before it is sealed.
import { toPaddedLength } from './padding.ts';

/** The most that an envelope has besides its padded content, in bytes: the length, the header and the tag. */
const mostAround = 256;

const lengthBytes = 4;

/** Returns how large the envelope of this many bytes is at most, in bytes. */
export const getEnvelopeBytes = (bytes: number): number =>
  toPaddedLength(bytes + lengthBytes) + mostAround;

/** Returns how many bytes can be sealed in an envelope that may have this many. */
export const mostSealableBytes = (envelopeBytes: number): number => {
  let least = 0;
  let most = envelopeBytes;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (getEnvelopeBytes(middle) <= envelopeBytes) least = middle;
    else most = middle - 1;
  }
  return least;
};
