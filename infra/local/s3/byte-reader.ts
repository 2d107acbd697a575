/** Reads a stream of buffers piece by piece; what it hands out is never held in memory whole. */
export interface ByteReader {
  /** The bytes before the mark, at most `maxBytes` of them; the mark is skipped. */
  until(mark: Buffer, maxBytes: number): Promise<Buffer>;
  /** As `until`, for any number of bytes. */
  streamUntil(mark: Buffer): AsyncGenerator<Buffer>;
  stream(bytes: number): AsyncGenerator<Buffer>;
}

/** Starts with the bytes of `head`; `tooShort` and `tooLong` make the errors of what can't be read. */
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
        // The last bytes may be the beginning of the mark.
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
