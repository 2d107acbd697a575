/** What authenticators write: integers, bytes, texts and maps. */
type Value = number | string | Uint8Array | ReadonlyMap<number | string, Value>;

const head = (major: number, count: number): Buffer => {
  const type = major << 5;
  if (count < 24) return Buffer.from([type | count]);
  if (count < 256) return Buffer.from([type | 24, count]);
  return Buffer.from([type | 25, count >> 8, count & 255]);
};

/** Encodes a value in CBOR (RFC 8949). Counts and integers must be below 65,536. */
export const toCbor = (value: Value): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([head(3, text.length), text]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, one]) => [toCbor(key), toCbor(one)]);
  return Buffer.concat([head(5, value.size), ...entries]);
};
