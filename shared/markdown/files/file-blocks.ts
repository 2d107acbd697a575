/** A file in Markdown: a block of code at the left margin, whose first line has a title, as in `ts title="app.ts"`. */
export interface FileBlock {
  readonly name: string;
  /** The line of its fence, from 1. */
  readonly line: number;
  /** The exact text of the file. */
  readonly text: string;
  /** Whether its last line has a line ending. */
  readonly isEnded: boolean;
}

const fence = /^(`{3,}|~{3,})(.*)$/;
const title = /(?:^|\s)title="([^"]+)"/;
/** The file’s last line has no line ending. The fence needs one. */
const noEnding = /(?:^|\s)noeol(?:\s|$)/;

/** Lines with their endings, which are those of CommonMark. */
const lines = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g;

interface OpenFence {
  readonly marker: string;
  readonly info: string;
  readonly line: number;
  readonly start: number;
}

const opens = (line: string): Pick<OpenFence, 'marker' | 'info'> | undefined => {
  const [, marker = '', info = ''] = fence.exec(line) ?? [];
  // A fence of backticks has none in its first line.
  return marker === '' || (marker.startsWith('`') && info.includes('`'))
    ? undefined
    : { marker, info };
};

const closes = (line: string, marker: string): boolean => {
  const [, closing = '', rest = ''] = fence.exec(line.replace(/^ {1,3}/, '')) ?? [];
  return closing.startsWith(marker) && rest.trim() === '';
};

/**
 * Finds the files of a Markdown text, the first of each name, and whether there is nothing else. Fences are found line by
 * line: that takes no parser, and a text as time-consuming to parse as it may be.
 */
export const findFiles = (
  markdown: string,
): { readonly files: readonly FileBlock[]; readonly isOnlyFile: boolean } => {
  if (!markdown.includes('title="')) return { files: [], isOnlyFile: false };
  const files = new Map<string, FileBlock>();
  let open: OpenFence | undefined;
  let number = 0;
  let others = 0;
  for (const { 0: whole, index } of markdown.matchAll(lines)) {
    number++;
    const line = whole.replace(/[\r\n]+$/, '');
    if (!open) {
      const found = opens(line);
      if (found) open = { ...found, line: number, start: index + whole.length };
      else if (line.trim() !== '') others++;
    } else if (closes(line, open.marker)) {
      const [, name] = title.exec(open.info) ?? [];
      if (name === undefined || files.has(name)) others++;
      else {
        const text = markdown.slice(open.start, index);
        const isEnded = !noEnding.test(open.info);
        const exact = isEnded ? text : text.replace(/\r\n?$|\n$/, '');
        files.set(name, { name, line: open.line, text: exact, isEnded });
      }
      open = undefined;
    }
  }
  return { files: [...files.values()], isOnlyFile: files.size === 1 && others === 0 && !open };
};

/** Returns the file of a name; without a name, the only file of a text that has nothing else. */
export const pickFile = (markdown: string, name: string | undefined): FileBlock | undefined => {
  const { files, isOnlyFile } = findFiles(markdown);
  if (name === undefined) return isOnlyFile ? files[0] : undefined;
  return files.find((file) => file.name === name);
};

/** A file to write, with the name of its language in Markdown. */
export interface NewFile {
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

const longestRun = (text: string): number =>
  Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length));

const toBlock = ({ name, language, text }: NewFile): string => {
  const marker = '`'.repeat(longestRun(text) + 1);
  const isEnded = /[\r\n]$/.test(text);
  // The fences end as the lines of the file do, so that both are one text to editors and in comparisons.
  const [ending = '\n'] = text.match(/\r\n?|\n/) ?? [];
  return `${marker}${language} title="${name}"${isEnded ? '' : ' noeol'}${ending}${text}${isEnded ? '' : ending}${marker}${ending}`;
};

/** Replaces what can’t stand in a title, and numbers names that are taken. */
const toName = (name: string, taken: ReadonlySet<string>): string => {
  const clean = name.replace(/[\p{C}"`]/gu, '_') || '_';
  const [, stem = clean, extension = ''] = clean.match(/^(.+?)(\.[^.]*)?$/) ?? [];
  for (let number = 1; ; number++) {
    const free = number === 1 ? clean : `${stem} ${number}${extension}`;
    if (!taken.has(free)) return free;
  }
};

/** Writes files as Markdown: one as a block of code, several each below a heading with its name. */
export const writeFiles = (files: readonly NewFile[]): string => {
  const taken = new Set<string>();
  return files
    .map((file) => {
      const name = toName(file.name, taken);
      taken.add(name);
      const block = toBlock({ ...file, name });
      return files.length === 1 ? block : `## \`${name}\`\n\n${block}`;
    })
    .join('\n');
};
