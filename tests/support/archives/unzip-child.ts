import { readFile } from 'node:fs/promises';
import { unzip } from '../../../shared/share-files/unzip.ts';
import { ZipProblem } from '../../../shared/share-files/zip-problem.ts';
import { peakMemory } from '../run/peak-memory.ts';

/** Frees what nothing refers to any more, so that the measure is what is needed, and not how late it is freed. */
const { gc } = globalThis as { readonly gc?: () => void };

/** Unpacks archives one after another and prints how each ended, then the most memory that the process had, in MB. */
for (const path of process.argv.slice(2)) {
  const archive = await readFile(path);
  const end = await unzip(archive, () => gc?.()).then(
    () => 'unpacked',
    (error: unknown) => (error instanceof ZipProblem ? error.code : String(error)),
  );
  process.stdout.write(`${end}\n`);
}
process.stdout.write(`${Math.round(peakMemory() / 1024)}\n`);
