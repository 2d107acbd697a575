import { readFile } from 'node:fs/promises';
import { unzip } from '../../../shared/share-files/unzip.ts';
import { ZipProblem } from '../../../shared/share-files/zip-problem.ts';

/** Frees what nothing refers to any more, so that the measure is what is needed, and not how late it is freed. */
const { gc } = globalThis as { readonly gc?: () => void };

/**
 * Returns the most memory that this process had, in KB. On Linux `maxRSS` may be that of its parent, because a new process
 * starts with the parent's memory: https://man7.org/linux/man-pages/man2/getrusage.2.html
 */
const readMostMemory = async (): Promise<number> => {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const [, peak] = /^VmHWM:\s*(\d+) kB$/m.exec(status) ?? [];
  return peak === undefined ? process.resourceUsage().maxRSS : Number(peak);
};

/** Unpacks archives one after another and prints how each ended, then the most memory that the process had, in MB. */
for (const path of process.argv.slice(2)) {
  const archive = await readFile(path);
  const end = await unzip(archive, () => gc?.()).then(
    () => 'unpacked',
    (error: unknown) => (error instanceof ZipProblem ? error.code : String(error)),
  );
  process.stdout.write(`${end}\n`);
}
process.stdout.write(`${Math.round((await readMostMemory()) / 1024)}\n`);
