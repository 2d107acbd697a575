import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Client } from '../../../../functions/web/browser/client/client.ts';
import { CliError, exitCodes, usageError } from '../error-mapping.ts';
import { interruption as signal } from '../interruption.ts';
import { note, printStream } from '../terminal/output.ts';
import { createBar } from '../terminal/progress.ts';

interface Options {
  readonly output?: string;
  readonly force?: boolean;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const existsError = (path: string): CliError =>
  usageError(`${path} exists: pass --force to replace it, or --output with another path.`);

/** Requests the content of a file. @throws CliError if the storage refuses or can't be reached */
const request = async (client: Client, id: number): Promise<Response> => {
  const found = await client.call('GET /api/files/{id}/download', { params: { id }, signal });
  if (!found) throw new CliError('The service gave no address of the file.');
  const response = await fetch(found.url, { signal }).catch(() => {
    signal.throwIfAborted();
    throw new CliError('Can’t reach the storage.', exitCodes.unreachable);
  });
  if (!response.ok) throw new CliError(`The storage refused the download (${response.status}).`);
  return response;
};

/** Gives a complete file its name. */
const publish = async (part: string, path: string, isReplacing: boolean): Promise<void> => {
  if (isReplacing) return rename(part, path);
  await link(part, path).catch((error) => {
    throw error.code === 'EEXIST' ? existsError(path) : error;
  });
  await rm(part);
};

/** Saves a file beside its path first, so that what is interrupted leaves nothing. @throws CliError */
export const get = async (
  client: Client,
  { id, name }: { readonly id: number; readonly name: string },
  { output, force = false }: Options,
): Promise<void> => {
  if (output === '-') {
    const { body } = await request(client, id);
    // Node has its own type of the same stream.
    return printStream(Readable.fromWeb(body as ReadableStream), signal);
  }
  const path = output ?? basename(name);
  if (!force && (await exists(path))) throw existsError(path);
  const { body, headers } = await request(client, id);
  const total = Number(headers.get('content-length') ?? 0);
  const bar = await createBar(path);
  const part = `${path}.${randomUUID()}.part`;
  let received = 0;
  try {
    const source = Readable.fromWeb(body as ReadableStream);
    source.on('data', (chunk: Buffer) => {
      received += chunk.length;
      bar.update(total > 0 ? received / total : 0);
    });
    await pipeline(source, createWriteStream(part, { flags: 'wx' }), { signal }).catch((error) => {
      signal.throwIfAborted();
      throw error.code ? error : new CliError('The download was cut off.', exitCodes.unreachable);
    });
    await publish(part, path, force);
    note(path);
  } finally {
    bar.stop();
    await rm(part, { force: true });
  }
};
