import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TypicalCalls } from '../typical-calls/typical.ts';
import { moreCalls } from './more-calls.ts';

const folder = join(import.meta.dirname, '../typical-calls');

/**
 * The typical calls of every group, which each file beside `typical.ts` exports by names that end in `Calls`, and those that
 * take other ways.
 */
export const allTypicalCalls = async (): Promise<TypicalCalls> => {
  const calls: Record<string, TypicalCalls[string]> = { ...moreCalls };
  const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''));
  for (const name of names.filter((one) => one !== 'typical')) {
    const exported: Record<string, unknown> = await import(`../typical-calls/${name}.ts`);
    for (const [key, value] of Object.entries(exported)) {
      if (key.endsWith('Calls')) Object.assign(calls, value);
    }
  }
  return calls;
};
