import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { AppError } from '../../runtime/errors.ts';
import { Reply } from '../reply.ts';
import { chooseEncoding } from './compression.ts';

/** How a file is cached whose name contains a hash of its content. */
export const immutable = 'public, max-age=31536000, immutable';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

// Maximum quality takes 20 times as long and saves only 10 %.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const load = async (text: string) => {
  const identity = Buffer.from(text);
  const [br, gzipped] = await Promise.all([
    toBrotli(identity, brotliOptions),
    toGzip(identity, { level: 9 }),
  ]);
  return { identity, br, gzip: gzipped };
};

/**
 * Creates what responds with a text file in the best accepted encoding. Its name contains a hash of the content, so it never
 * expires. Each file is compressed once. `find` returns its text.
 * The response throws AppError NOT_FOUND for other names.
 */
export const createImmutableTexts = (find: (name: string) => Promise<string | undefined>) => {
  const loaded = new Map<string, ReturnType<typeof load>>();
  return async (name: string, accepted: string | undefined): Promise<Reply<Uint8Array>> => {
    const text = await find(name);
    if (text === undefined) throw new AppError('NOT_FOUND', 'Not found.');
    const known = loaded.get(name) ?? load(text);
    loaded.set(name, known);
    const encoding = chooseEncoding(accepted);
    return new Reply<Uint8Array>((await known)[encoding ?? 'identity'], {
      headers: {
        'cache-control': immutable,
        vary: 'accept-encoding',
        ...(encoding && { 'content-encoding': encoding }),
      },
    });
  };
};
