import { createByteReader } from './byte-reader.ts';
import { S3Error } from './s3-error.ts';

const MAX_LINE_BYTES = 8_192;
const MAX_TRAILERS = 20;
const CRLF = Buffer.from('\r\n');

const incomplete = (): S3Error =>
  new S3Error(
    400,
    'IncompleteBody',
    'The request body terminated unexpectedly or is not framed as aws-chunked.',
  );

/**
 * Decodes a body of the content coding aws-chunked. After its end, `trailers` holds the trailers by lower-case name.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 * @throws S3Error IncompleteBody
 */
export async function* decodeAwsChunked(
  body: AsyncIterator<Buffer>,
  trailers: Map<string, string>,
): AsyncGenerator<Buffer> {
  const reader = createByteReader(body, { tooShort: incomplete, tooLong: incomplete });
  const readLine = async () => (await reader.until(CRLF, MAX_LINE_BYTES)).toString('latin1');
  for (;;) {
    const size = await readLine();
    if (!/^[\da-f]{1,12}$/i.test(size)) throw incomplete();
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    yield* reader.stream(length);
    if ((await readLine()) !== '') throw incomplete();
  }
  for (let line = await readLine(); line !== ''; line = await readLine()) {
    const colon = line.indexOf(':');
    if (colon < 1 || trailers.size === MAX_TRAILERS) throw incomplete();
    trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
}
