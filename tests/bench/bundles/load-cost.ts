import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What it costs to load a bundle in a new process; CPU is user and system time together. */
export interface LoadCost {
  /** `require` of the bundle alone. */
  readonly importCpuMs: number;
  readonly importWallMs: number;
  /** The process from the start of Node to its end. */
  readonly processCpuMs: number;
}

const script = `
  const { writeSync } = require('node:fs');
  const startedAt = performance.now();
  const before = process.cpuUsage();
  const { handler } = require(process.argv[1]);
  const { user, system } = process.cpuUsage(before);
  const importWallMs = performance.now() - startedAt;
  if (typeof handler !== 'function') throw new Error('The bundle has no handler');
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    writeSync(1, JSON.stringify({
      importCpuMs: (user + system) / 1000,
      importWallMs,
      processCpuMs: (userCPUTime + systemCPUTime) / 1000,
    }));
  });`;

/**
 * Loads a bundle in a new process of this Node, with none of this one's settings.
 * @throws Error when it doesn't load, or doesn't end by itself: nothing may happen at import
 */
export const measureLoad = async (bundle: string): Promise<LoadCost> => {
  const args = ['--input-type=commonjs', '--eval', script, bundle];
  const { stdout } = await run(process.execPath, args, {
    cwd: dirname(bundle),
    env: { NODE_ENV: 'production' },
    timeout: 30_000,
  });
  return JSON.parse(stdout);
};
