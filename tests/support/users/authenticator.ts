import { createHmac } from 'node:crypto';

/** The codes that an authenticator app shows, by RFC 6238 with SHA-1, 6 digits and 30 seconds. */

/** How long a code is shown, in ms. */
export const stepMs = 30_000;

const fromBase32 = (text: string): Buffer => {
  const bits = [...text]
    .map((character) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character))
    .map((value) => value.toString(2).padStart(5, '0'))
    .join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
};

/**
 * Returns the code of a time (ms since 1970). The service accepts it for at least 30 s from then on, and once.
 * https://www.rfc-editor.org/rfc/rfc4226#section-5.3
 */
export const codeOf = (secret: string, at = Date.now()): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / stepMs)));
  const hash = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
};

/**
 * Returns the code of the time step after this one, which the service accepts already: for a second code, where the clock can't
 * be moved. The step before this one has no use in such a test: its code expires at any moment.
 */
export const followingCode = (secret: string): string => codeOf(secret, Date.now() + stepMs);

/** Returns six digits that aren't the code of a time near now. */
export const wrongCode = (secret: string): string => {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, Date.now() + steps * stepMs));
  return ['000000', '111111', '222222'].find((code) => !near.includes(code)) ?? '333333';
};
