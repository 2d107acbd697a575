import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { type Answer, call } from '../service/call.ts';
import type { Person } from '../users/test-users.ts';

type Caller = Pick<Person, 'token'>;

/** Asks for all that is the caller's. */
export const orderOwnData = ({ token }: Caller): Promise<Answer> =>
  call('POST /api/users/me/export', { token });

/** Lists the caller's exports. */
export const listExports = async ({ token }: Caller) =>
  (await call('GET /api/users/me/exports', { token })).body.data;

/** Asks for the address of a file. */
export const askForFile = ({ token }: Caller, id: number, body: object = {}): Promise<Answer> =>
  call('POST /api/users/me/exports/{id}/download', { token, params: { id: String(id) }, body });

/** Deletes an export. */
export const deleteExport = ({ token }: Caller, id: number): Promise<Answer> =>
  call('DELETE /api/users/me/exports/{id}', { token, params: { id: String(id) } });

/** Downloads the file of an export. */
export const downloadFile = async (caller: Caller, id: number): Promise<Response> =>
  fetch((await askForFile(caller, id)).body.data.url);

/** Returns the files of an archive by path, as text. */
export const readArchive = async (bytes: Uint8Array): Promise<Record<string, string>> => {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false });
  const files: Record<string, string> = {};
  for (const entry of await reader.getEntries()) {
    if (entry.directory) continue;
    const content = await entry.getData(new Uint8ArrayWriter(), { checkSignature: true });
    files[entry.filename] = Buffer.from(content).toString();
  }
  return files;
};

/** Returns the files of the archive of an export. */
export const archiveOf = async (caller: Caller, id: number): Promise<Record<string, string>> =>
  readArchive(new Uint8Array(await (await downloadFile(caller, id)).arrayBuffer()));
