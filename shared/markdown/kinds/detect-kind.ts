/** Kinds of files whose page is more than their lines. */
export type FileKind = 'csv' | 'tsv' | 'json' | 'json-lines';

const kinds: ReadonlyMap<string, FileKind> = new Map([
  ['csv', 'csv'],
  ['tsv', 'tsv'],
  ['json', 'json'],
  ['geojson', 'json'],
  ['ndjson', 'json-lines'],
  ['jsonl', 'json-lines'],
]);

/** Returns the kind of a text file by its name; `undefined` for one that is shown as lines. */
export const detectKind = (fileName: string): FileKind | undefined => {
  const [, extension = ''] = /\.(\w+)$/.exec(fileName) ?? [];
  return kinds.get(extension.toLowerCase());
};
