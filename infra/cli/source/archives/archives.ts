// A bundle of its own, because its library is as large as the command.
import { findUrl, getUsedUrl } from '../connection.ts';
import { type Outcome, settle } from '../outcome.ts';
import { type ExportOptions, saveExport } from './export/save-export.ts';
import { type ImportOptions, importArchive } from './import/import-archive.ts';

/** Saves the archive of a user's own data. */
export const runExport = (options: ExportOptions): Promise<Outcome> =>
  settle(getUsedUrl, async () => saveExport(await findUrl(), options));

/** Imports what such an archive has and the service doesn't. */
export const runImport = (path: string, options: ImportOptions): Promise<Outcome> =>
  settle(getUsedUrl, () => importArchive(path, options));
