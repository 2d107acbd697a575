import type { Command } from 'commander';
import type { Client } from '../../../../functions/web/browser/client/client.ts';
import type { Item } from '../../../../functions/web/browser/client/endpoints.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { connect } from '../connection.ts';
import { CliError } from '../error-mapping.ts';
import { parseCount } from '../expiry.ts';
import { interruption as signal } from '../interruption.ts';
import { print, printJson, printTable } from '../terminal/output.ts';

type StoredFile = Item<'GET /api/files'>;

/** How many files of a folder are looked through for a name. */
const maxSearched = 1_000;

/** Finds a file by its id or its path. @throws CliError if there is none */
const findFile = async (
  client: Client,
  given: string,
): Promise<Pick<StoredFile, 'id' | 'name'>> => {
  if (/^\d+$/.test(given)) {
    return client.call('GET /api/files/{id}', { params: { id: given }, signal });
  }
  const path = `/${given.replace(/^\/+/, '')}`;
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  const query = { folder, sort: 'name' } as never;
  for await (const file of client.items('GET /api/files', {
    query,
    maxItems: maxSearched,
    signal,
  })) {
    if (file.path === path) return file;
  }
  throw new CliError(`There is no file ${given}.`);
};

/** Adds the commands about files. */
export const addFilesCommands = (program: Command): void => {
  const files = program.command('files').description('store files, and get them back');

  files
    .command('put')
    .argument('<files...>', 'files to store')
    .description('store files; one that is interrupted starts again')
    .option('-f, --folder <path>', 'the path of one of your folders', '')
    .option('--json', 'print JSON')
    .action(async (paths: string[], { folder, json }: { folder: string; json?: true }) => {
      const { put } = await import('./upload.ts');
      const client = await connect();
      for (const path of paths) {
        const stored = await put(client, path, folder);
        if (json) printJson(stored);
        else print(`${stored.id}\t${stored.path}`);
      }
    });

  files
    .command('get')
    .argument('<file>', 'an id or a path')
    .description('save a file here')
    .option('-o, --output <path>', 'where to save it; - prints it')
    .option('--force', 'replace a file that exists')
    .action(async (given: string, options: { output?: string; force?: true }) => {
      const { get } = await import('./download.ts');
      const client = await connect();
      const found = await findFile(client, given);
      await get(client, found, options);
    });

  files
    .command('ls')
    .argument('[folder]', 'the path of a folder', '/')
    .description('list the files of a folder')
    .option('--limit <n>', 'how many at most', parseCount, 100)
    .option('--json', 'print JSON')
    .action(async (folder: string, { limit, json }: { limit: number; json?: true }) => {
      const client = await connect();
      const query = { folder, sort: 'name' } as never;
      const found: StoredFile[] = [];
      for await (const file of client.items('GET /api/files', { query, maxItems: limit, signal })) {
        found.push(file);
      }
      if (json) return printJson(found);
      printTable(
        ['id', 'size', 'created', 'path'],
        found.map(({ id, type, size, createdAt, path }) => [
          String(id),
          type === 'folder' ? 'folder' : formatBytes(size),
          createdAt,
          path,
        ]),
      );
    });

  files
    .command('rm')
    .argument('<files...>', 'ids or paths')
    .description('move files to the trash for 30 days; delete empty folders')
    .action(async (given: string[]) => {
      const client = await connect();
      for (const one of given) {
        const { id, name } = await findFile(client, one);
        await client.call('DELETE /api/files/{id}', { params: { id }, signal });
        print(`Deleted ${name}`);
      }
    });
};
