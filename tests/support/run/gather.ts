import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Collects the exports of a folder's modules with this name suffix in one record. */
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
