import { createWriteStream } from 'node:fs';
import { link, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { sleep } from '../../../../../functions/web/browser/client/transport.ts';
import { CliError, exitCodes, usageError } from '../../error-mapping.ts';
import { interruption as signal } from '../../interruption.ts';
import { note } from '../../terminal/output.ts';
import { createBar } from '../../terminal/progress.ts';

/** What is downloaded: its size, and where from. Each address is valid for a minute. */
interface Source {
  readonly id: number;
  readonly bytes: number;
  readonly getAddress: () => Promise<string>;
}

/** How often a download goes on without a byte more. */
const maxFailures = 5;

/** How long to wait before the second attempt. ms. */
const firstPauseMs = 500;

const readSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

const existsError = (path: string): CliError =>
  usageError(`${path} exists: pass --output with another path.`);

/** @throws CliError if there is a file or folder of this name, or no folder for it */
export const assertAbsent = async (path: string): Promise<void> => {
  const folder = dirname(path);
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw usageError(`There is no folder ${folder}.`);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw existsError(path);
};

/** Fetches what a part lacks. @throws CliError if the storage refuses; what ends a connection */
const fetchRest = async (
  part: string,
  { bytes, getAddress }: Source,
  onBytes: (received: number) => void,
): Promise<void> => {
  let received = await readSize(part);
  if (received > bytes) {
    await rm(part);
    received = 0;
  }
  if (received === bytes && bytes > 0) return;
  const response = await fetch(await getAddress(), {
    headers: received > 0 ? { range: `bytes=${received}-` } : {},
    signal,
  });
  const isRest = response.status === 206;
  if (!response.ok || (received > 0 && !isRest)) {
    await response.body?.cancel();
    throw new CliError(`The storage refused the download (${response.status}).`);
  }
  const source = Readable.fromWeb(response.body as ReadableStream);
  source.on('data', (chunk: Buffer) => {
    received += chunk.length;
    onBytes(received);
  });
  await pipeline(source, createWriteStream(part, { flags: isRest ? 'a' : 'w', mode: 0o600 }), {
    signal,
  });
};

/**
 * Downloads a file beside its path, going on where it was cut off, also by an earlier run, and gives it its name once it is
 * complete. Only its owner can read it.
 * @throws CliError; ApiError; the reason of the interruption, after which what has come stays
 */
export const downloadTo = async (path: string, source: Source): Promise<void> => {
  await assertAbsent(path);
  const part = `${path}.${source.id}.part`;
  const bar = await createBar(path);
  try {
    for (let failures = 0; ; ) {
      const before = await readSize(part);
      try {
        await fetchRest(part, source, (received) => bar.update(received / source.bytes));
      } catch (error) {
        signal.throwIfAborted();
        const isLost = error instanceof TypeError || isCutOff(error);
        if (!isLost) throw error;
      }
      const after = await readSize(part);
      if (after === source.bytes) break;
      failures = after > before ? 0 : failures + 1;
      if (failures === maxFailures) {
        throw new CliError(
          'The download was cut off: run handbill export again, which goes on with it.',
          exitCodes.unreachable,
        );
      }
      await sleep(firstPauseMs * 2 ** failures, signal);
    }
  } finally {
    bar.stop();
  }
  await link(part, path).catch((error) => {
    throw error.code === 'EEXIST' ? existsError(path) : error;
  });
  await rm(part);
  note(path);
};

const cutOff: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'ERR_STREAM_PREMATURE_CLOSE',
  'UND_ERR_SOCKET',
  'UND_ERR_BODY_TIMEOUT',
]);

const isCutOff = (error: unknown): boolean => cutOff.has((error as { code?: unknown }).code);
