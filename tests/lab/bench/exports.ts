import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createFileRecord, write } from '../../../functions/api/files/record/files.ts';
import { createFileKey } from '../../../functions/api/files/uploads/objects.ts';
import { create } from '../../../functions/api/users/record/users.ts';
import { functionConfigs } from '../../../infra/functions/config/functions.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { listExports } from '../../../shared/exports/export-store.ts';
import { orderExport } from '../../../shared/exports/order-export.ts';
import { forEachAtOnce } from '../../../shared/runtime/at-once.ts';
import { uploadStream } from '../../../shared/storage/upload-stream.ts';
import { textTable } from '../support/text-table.ts';
import { bundleExports, type Taken } from './exports/run-function.ts';
import { setEnvironment, startEngines } from './scale/site.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';

const megabyte = 1024 * 1024;

/** A vCPU comes with this memory; less memory has as much less of it. */
const cpuMb = 1_769;

/** List prices in dollars: an ARM second of a GB, and a thousand requests to S3 that read and that write. */
const prices = { gbSecond: 0.000_013_333_4, reads: 0.000_4, writes: 0.005 };

const recorder = systemRecorder('file.upload');

const newOwner = async (name: string): Promise<Actor> => {
  const user = await create(
    { email: `${name}@example.com`, name, role: 'user' },
    systemRecorder('user.create'),
  );
  return { user, sessionId: undefined, isLimited: false, permissions: [] };
};

async function* randomPieces(bytes: number): AsyncGenerator<Uint8Array> {
  for (let left = bytes; left > 0; left -= megabyte) yield randomBytes(Math.min(left, megabyte));
}

/** Stores a file of random bytes, which nothing compresses, once, and records it so many times. */
const addFiles = async (owner: Actor, count: number, size: number): Promise<void> => {
  const object = createFileKey();
  await uploadStream(object, randomPieces(size), 'application/octet-stream');
  const checksum = createHash('sha256').update(object).digest('hex');
  const numbers = Array.from({ length: count }, (_, at) => at);
  await forEachAtOnce(numbers, 8, async (at) => {
    const fields = {
      name: `${at}.bin`,
      type: 'other',
      mimeType: 'application/octet-stream',
    } as const;
    const more = { size, folderId: undefined, status: 'ready', object, checksum } as const;
    await write(undefined, createFileRecord(owner, { ...fields, ...more }), recorder, []);
  });
};

const round = (value: number, digits = 0): string => value.toFixed(digits);

/** What a call takes on Lambda: the CPU time at the part of a vCPU that comes with the memory, and that memory. */
const describe = (name: string, bytes: number, { wallMs, cpuMs, peakMb }: Taken): string[] => {
  const { memoryMb } = functionConfigs.exports;
  const lambdaSeconds = Math.max(wallMs, (cpuMs * cpuMb) / memoryMb) / 1_000;
  const compute = (lambdaSeconds * memoryMb * prices.gbSecond) / 1_024;
  const reads = (bytes / (4 * megabyte) / 1_000) * prices.reads;
  const writes = (bytes / (8 * megabyte) / 1_000) * prices.writes;
  return [
    name,
    round(bytes / megabyte),
    round(peakMb),
    round(wallMs / 1_000, 1),
    round(cpuMs / 1_000, 1),
    round(lambdaSeconds),
    `$${round(compute + reads + writes, 4)}`,
  ];
};

const measure = async (
  name: string,
  call: () => Promise<Taken>,
  fill: (owner: Actor) => Promise<void>,
): Promise<string[]> => {
  const owner = await newOwner(name.replaceAll(' ', '-'));
  await fill(owner);
  await orderExport(owner, { kind: 'own-data', format: 'zip' }, systemRecorder('export.create'));
  const taken = await call();
  const [made] = await listExports(owner.user.id);
  if (made?.status !== 'ready') throw new Error(`${name}: ${made?.status}, ${made?.problem}`);
  return describe(name, made.bytes ?? 0, taken);
};

/** Memory, time and price of exports by the service. */
export const exportsOfData: Benchmark = {
  summary: 'memory, time and price of an export of own data, in the bundle with Lambda’s memory',
  usage: '[--mb 1024] [--files 5000]',
  async run(args) {
    const options = { mb: { type: 'string' }, files: { type: 'string' } } as const;
    const { mb = '1024', files = '5000' } = parseArgs({ args: [...args], options }).values;
    const folder = await mkdtemp(join(tmpdir(), 'handbill-exports-'));
    setEnvironment();
    Object.assign(process.env, { FILES_QUOTA: '1TB', EXPORTS_FUNCTION: 'exports' });
    const engines = await startEngines(folder);
    try {
      await engines.startTable(folder);
      const call = bundleExports(join(folder, 'function'));
      const lines = [
        await measure('nothing', call, async () => {}),
        await measure('large files', call, (owner) =>
          addFiles(owner, Math.ceil(Number(mb) / 64), 64 * megabyte),
        ),
        await measure('small files', call, (owner) => addFiles(owner, Number(files), 1_024)),
      ];
      const head = ['export of', 'MB', 'peak MB', 's', 'CPU s', 's on Lambda', 'price'];
      process.stdout.write(`${machine()}\n${textTable(head, lines)}\n`);
    } finally {
      await engines.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
