import { readFile } from 'node:fs/promises';

/** The scripts of the diagram frame, by name: 3.7 MB, which only their own requests read. On AWS the file is next to the bundle. */
export const diagramScripts = {
  name: 'diagram-scripts.json',
  path: './built/diagram-scripts.json',
} as const;

const read = async (): Promise<ReadonlyMap<string, string>> => {
  const path = import.meta.url.endsWith('.ts') ? diagramScripts.path : `./${diagramScripts.name}`;
  const json = await readFile(new URL(path, import.meta.url), 'utf8');
  return new Map(Object.entries<string>(JSON.parse(json)));
};

let scripts: ReturnType<typeof read> | undefined;

/** Returns the text of a script of the diagram frame, or `undefined`. */
export const findDiagramScript = async (name: string): Promise<string | undefined> => {
  scripts ??= read();
  return (await scripts).get(name);
};
