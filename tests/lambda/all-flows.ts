import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Flows } from './flows/flow.ts';

const folder = join(import.meta.dirname, 'flows');

/** Whatever the files of `flows` have under names that end in `Flows`. */
export const allFlows = async (): Promise<Flows> => {
  const flows: Record<string, Flows[string]> = {};
  for (const file of readdirSync(folder).sort()) {
    const exported: Readonly<Record<string, object>> = await import(join(folder, file));
    for (const [name, values] of Object.entries(exported)) {
      if (name.endsWith('Flows')) Object.assign(flows, values);
    }
  }
  return flows;
};
