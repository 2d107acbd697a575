import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TypicalCalls } from './typical-calls/typical.ts';

const folder = join(import.meta.dirname, 'typical-calls');

/** The typical calls of every route: whatever the files of `typical-calls` have under names that end in `Calls`. */
export const allTypicalCalls = async (): Promise<TypicalCalls> => {
  const calls: Record<string, TypicalCalls[string]> = {};
  for (const file of readdirSync(folder).sort()) {
    const exported: Readonly<Record<string, object>> = await import(join(folder, file));
    for (const [name, values] of Object.entries(exported)) {
      if (name.endsWith('Calls')) Object.assign(calls, values);
    }
  }
  return calls;
};
