/** Reads a stream of buffers in parts, without holding a streamed part in memory. */
export interface ByteReader {
  /** Returns the bytes before the mark, at most `maxBytes`, and skips the mark. */
  until(mark: Buffer, maxBytes: number): Promise<Buffer>;
  /** Streams the bytes before the mark, of any number, and skips the mark. */
  streamUntil(mark: Buffer): AsyncGenerator<Buffer>;
  stream(bytes: number): AsyncGenerator<Buffer>;
}

/** Creates a reader that starts with the bytes of `head`. `tooShort` and `tooLong` create the errors to throw. */
export const createByteReader = (
  source: AsyncIterator<Buffer>,
  { head = '', tooShort, tooLong }: { head?: string; tooShort(): Error; tooLong(): Error },
): ByteReader => {
  let rest: Buffer = Buffer.from(head);

  const next = async (): Promise<Buffer> => {
    const { done, value } = await source.next();
    if (done) throw tooShort();
    return value;
  };
  const take = (bytes: number): Buffer => {
    const part = rest.subarray(0, bytes);
    rest = rest.subarray(part.length);
    return part;
  };

  return {
    async until(mark, maxBytes) {
      let end = rest.indexOf(mark);
      while (end < 0 && rest.length <= maxBytes) {
        rest = Buffer.concat([rest, await next()]);
        end = rest.indexOf(mark);
      }
      if (end < 0 || end > maxBytes) throw tooLong();
      const part = take(end);
      take(mark.length);
      return part;
    },
    async *streamUntil(mark) {
      let end = rest.indexOf(mark);
      while (end < 0) {
        // The last bytes may be the start of the mark.
        const safe = rest.length - mark.length + 1;
        if (safe > 0) yield take(safe);
        rest = Buffer.concat([rest, await next()]);
        end = rest.indexOf(mark);
      }
      if (end > 0) yield take(end);
      take(mark.length);
    },
    async *stream(bytes) {
      for (let left = bytes; left > 0; ) {
        if (rest.length === 0) rest = await next();
        const part = take(left);
        left -= part.length;
        yield part;
      }
    },
  };
};
