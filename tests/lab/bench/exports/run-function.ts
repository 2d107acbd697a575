import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { functionConfigs } from '../../../../infra/functions/config/functions.ts';
import { buildFunction } from '../../../../infra/functions/function-code.ts';

/** What a call of the function took. */
export interface Taken {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** Calls the bundle's handler once and writes what that took. */
const caller = `const started = performance.now();
const { handler } = require('./bundle.js');
const end = Date.now() + Number(process.argv[2]);
handler({}, { awsRequestId: 'bench', getRemainingTimeInMillis: () => end - Date.now() }).then(() => {
  const { user, system } = process.cpuUsage();
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const taken = { wallMs: performance.now() - started, cpuMs: (user + system) / 1000, peakMb };
  process.stdout.write(JSON.stringify(taken) + '\\n', () => process.exit());
});
`;

/** Node's memory options in Lambda's runtime: a tenth is for the young generation. */
const toFlags = (memoryMb: number): string[] => {
  const young = Math.floor(memoryMb / 10);
  return [
    `--max-semi-space-size=${Math.floor(young / 2)}`,
    `--max-old-space-size=${memoryMb - young}`,
  ];
};

/** Bundles the function of exports into a folder. Returns what calls it once, in a process of its own, as Lambda starts it. */
export const bundleExports = (folder: string): (() => Promise<Taken>) => {
  const { memoryMb, timeoutSeconds } = functionConfigs.exports;
  buildFunction('exports', functionConfigs.exports, folder);
  const file = join(folder, 'call.cjs');
  writeFileSync(file, caller);
  return async () => {
    const args = [...toFlags(memoryMb), file, String(timeoutSeconds * 1_000)];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, POWERTOOLS_LOG_LEVEL: 'ERROR' },
    });
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const lines = output.trim().split('\n');
    for (const line of lines.slice(0, -1)) process.stderr.write(`${line}\n`);
    return JSON.parse(lines.at(-1) ?? '') as Taken;
  };
};
