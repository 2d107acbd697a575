import { parse } from 'es-module-lexer/minimal/js';
import { type FoundReference, maxReferences } from './reference.ts';

/** A text in a script that begins with a single slash, up to its end, query or fragment. */
const rootLiteral = /(["'`])(\/[^/"'`\\\s?#$][^"'`\\\s?#$]{0,600})(?=["'`?#])/g;

/** A file beside a module. */
const besideModule =
  /\bnew URL\(\s{0,9}(["'`])([^"'`\\\n$]{1,600})\1\s{0,9},\s{0,9}import\.meta\.url/g;

/** The files that Vite loads ahead of a module. Without `./` before them, it puts its base before them. */
const viteDependencies = /\bm\.f=\[((?:(["'`])[^"'`\\\n]{1,600}\2,?)*)\]/;
const quoted = /(["'`])([^"'`]+)\1/g;

const isRelative = (specifier: string): boolean => /^\.{1,2}\//.test(specifier);

const findImports = (script: string): FoundReference[] => {
  const found: FoundReference[] = [];
  try {
    for (const { n, s, e, d } of parse(script)[0]) {
      if (n === undefined || !isRelative(n) || found.length === maxReferences) continue;
      // A dynamic import’s place includes its quotes.
      const quote = d > -1 ? 1 : 0;
      found.push({ url: n, start: s + quote, end: e - quote, kind: 'import' });
    }
  } catch {
    // No script, or of a newer syntax: it is shared as it is.
  }
  return found;
};

/** Finds texts of a script or of JSON that may be the paths of files from the root. */
export const findLiterals = (script: string): FoundReference[] => {
  const found: FoundReference[] = [];
  for (const { index, 2: url = '' } of script.matchAll(rootLiteral)) {
    if (found.length === maxReferences) break;
    found.push({ url, start: index + 1, end: index + 1 + url.length, kind: 'literal' });
  }
  return found;
};

const findViteDependencies = (script: string): FoundReference[] => {
  const list = script.includes('__vite__mapDeps') ? viteDependencies.exec(script) : null;
  if (!list) return [];
  const [whole, entries = ''] = list;
  const at = list.index + whole.indexOf(entries, 4);
  return [...entries.matchAll(quoted)].flatMap(({ index, 2: path = '' }) => {
    const start = at + index + 1;
    const isBased = !isRelative(path) && !path.startsWith('/');
    return isBased ? [{ url: `/${path}`, start, end: start + path.length, kind: 'literal' }] : [];
  });
};

/** Finds relative imports of a script, files beside it by `import.meta.url`, and texts that may be paths from the root. */
export const findScriptReferences = (script: string): FoundReference[] => {
  const found = [...findImports(script), ...findLiterals(script), ...findViteDependencies(script)];
  for (const { index, 0: whole, 2: url = '' } of script.matchAll(besideModule)) {
    if (found.length >= maxReferences) break;
    const start = index + whole.indexOf(url, 8);
    // Paths from the root are found as texts.
    if (!url.startsWith('/')) found.push({ url, start, end: start + url.length, kind: 'import' });
  }
  return found;
};
