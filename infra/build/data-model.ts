import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AnyKeyFamily } from '../../shared/db/key.ts';

const root = join(import.meta.dirname, '../..');

/** A family of keys, where it is declared, and its docstring. */
export interface DeclaredFamily {
  readonly file: string;
  /** `shareKeys.record`. */
  readonly name: string;
  readonly description: string;
  readonly family: AnyKeyFamily;
}

const readDescriptions = (file: string): Map<string, string> =>
  new Map(
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(/^ {2}\/\*\* (.+)\. \*\/\n {2}(\w+):/gm),
    ].map(([, description = '', name = '']) => [name, description]),
  );

const importFamilies = async (file: string): Promise<DeclaredFamily[]> => {
  const descriptions = readDescriptions(file);
  const exported: Record<string, Record<string, AnyKeyFamily>> = await import(join(root, file));
  return Object.entries(exported).flatMap(([group, families]) =>
    Object.entries(families).map(([name, family]) => {
      const description = descriptions.get(name);
      if (description === undefined)
        throw new Error(`${group}.${name} has no docstring of one line`);
      return { file, name: `${group}.${name}`, description, family };
    }),
  );
};

/** Returns the key families of all files named `keys.ts`. */
export const listKeyFamilies = async (): Promise<DeclaredFamily[]> =>
  (
    await Promise.all(
      globSync('{shared,functions}/**/keys.ts', { cwd: root }).toSorted().map(importFamilies),
    )
  ).flat();

/** Shows a template without the kinds of its parts, but for those that are only a part of the value. */
const format = (template: string): string =>
  `\`${template
    .replaceAll(/(\w+):(first|shard)( of \d+)?/g, '$2 of $1')
    .replaceAll(/:[^}]*/g, '')
    .replaceAll('\t', '\\t')}\``;

/** Returns the data model as a Markdown table: a row for each partition, grouped by where its keys are declared. */
export const formatDataModel = async (): Promise<string> => {
  const byFile = Map.groupBy(await listKeyFamilies(), ({ file }) => file);
  const rows = [...byFile].flatMap(([file, all]) =>
    [...Map.groupBy(all, ({ family }) => family.pk)].map(([pk, some], at) => {
      const group = at === 0 ? dirname(file).replace(/^functions\//, '') : '';
      const place = some[0]?.family.isIndex ? ' (index)' : '';
      const items = some.map(({ description, family }) => `${format(family.sk)} ${description}`);
      return `| ${group} | ${format(pk)}${place} | ${items.join(' · ')} |`;
    }),
  );
  return ['| Keys | `pk` | `sk` and item |', '|---|---|---|', ...rows].join('\n');
};
