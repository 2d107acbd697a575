import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Whatever the modules of a folder export under names that end so, as one record. */
export const gather = async <Value>(
  folder: string,
  ending: string,
): Promise<Readonly<Record<string, Value>>> => {
  const all: Record<string, Value> = {};
  for (const file of readdirSync(folder).sort()) {
    const exported: Readonly<Record<string, object>> = await import(join(folder, file));
    for (const [name, values] of Object.entries(exported)) {
      if (name.endsWith(ending)) Object.assign(all, values);
    }
  }
  return all;
};
