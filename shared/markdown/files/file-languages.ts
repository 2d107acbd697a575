/** The names that Markdown uses for the languages of common files, by their extensions. */
const byExtension: Readonly<Record<string, string>> = {
  ...{ bash: 'bash', sh: 'bash', zsh: 'bash', bat: 'text', ps1: 'powershell', fish: 'text' },
  ...{ c: 'c', h: 'c', cc: 'cpp', cpp: 'cpp', cxx: 'cpp', hh: 'cpp', hpp: 'cpp', cs: 'csharp' },
  ...{ css: 'css', less: 'less', scss: 'scss', sass: 'scss', diff: 'diff', patch: 'diff' },
  ...{ go: 'go', mod: 'text', gql: 'graphql', graphql: 'graphql', java: 'java', kt: 'kotlin' },
  ...{ kts: 'kotlin', js: 'js', cjs: 'js', mjs: 'js', jsx: 'jsx', ts: 'ts', cts: 'ts', mts: 'ts' },
  ...{ tsx: 'tsx', json: 'json', jsonc: 'json', json5: 'json', jsonl: 'json', map: 'json' },
  ...{ csv: 'csv', tsv: 'tsv', ndjson: 'json' },
  ...{ lua: 'lua', m: 'objectivec', mm: 'objectivec', pl: 'perl', pm: 'perl', php: 'php' },
  ...{ py: 'python', pyi: 'python', r: 'r', rb: 'ruby', gemspec: 'ruby', rs: 'rust', sql: 'sql' },
  ...{ swift: 'swift', vb: 'vbnet', wat: 'wasm', xml: 'xml', svg: 'xml', xsl: 'xml', xsd: 'xml' },
  ...{ plist: 'xml', vue: 'html', svelte: 'html', html: 'html', htm: 'html', md: 'markdown' },
  ...{ markdown: 'markdown', yaml: 'yaml', yml: 'yaml', toml: 'toml', ini: 'ini', cfg: 'ini' },
  ...{ conf: 'ini', properties: 'ini', env: 'ini', mk: 'makefile', mmd: 'mermaid' },
};

const byName: Readonly<Record<string, string>> = {
  makefile: 'makefile',
  gnumakefile: 'makefile',
  gemfile: 'ruby',
  rakefile: 'ruby',
  dockerfile: 'bash',
};

const find = (names: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined;

/** Returns the name that Markdown uses for the language of a file; `text` for one that isn’t known. */
export const detectFileLanguage = (fileName: string): string => {
  const name = fileName.toLowerCase();
  const [, extension = ''] = name.match(/\.(\w+)$/) ?? [];
  return find(byName, name) ?? find(byExtension, extension) ?? 'text';
};
