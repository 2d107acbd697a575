import { minPlaintextBytes, SealedError } from '../../../../shared/sealed/envelope.ts';

/** The bytes that say how long a content is. */
const lengthBytes = 4;

/**
 * Returns the length that this many bytes are padded to: at most 12 % more, so that of a length only its magnitude and a few
 * bits are seen (Padmé, https://arxiv.org/abs/1806.03160).
 */
export const toPaddedLength = (bytes: number): number => {
  if (bytes <= minPlaintextBytes) return minPlaintextBytes;
  const exponent = Math.floor(Math.log2(bytes));
  const step = 2 ** (exponent - Math.floor(Math.log2(exponent)) - 1);
  return Math.ceil(bytes / step) * step;
};

/** Adds the length before bytes, and zeros after them. */
export const pad = (content: Uint8Array): Uint8Array<ArrayBuffer> => {
  const padded = new Uint8Array(toPaddedLength(lengthBytes + content.length));
  new DataView(padded.buffer).setUint32(0, content.length);
  padded.set(content, lengthBytes);
  return padded;
};

/** Takes length and padding off. @throws SealedError `format` for bytes that `pad` doesn’t make */
export const unpad = (padded: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  const length = new DataView(padded.buffer, padded.byteOffset).getUint32(0);
  const end = lengthBytes + length;
  const isPadded =
    toPaddedLength(end) === padded.length && padded.subarray(end).every((byte) => byte === 0);
  if (!isPadded) throw new SealedError('format', 'Its padding is invalid.');
  return padded.subarray(lengthBytes, end);
};
