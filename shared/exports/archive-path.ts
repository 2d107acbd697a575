/** The most bytes of a name in an archive, which file systems take with what a section adds. */
const maxNameBytes = 180;

/** Names that Windows keeps for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

const encoder = new TextEncoder();

/** Returns the first characters of a text, up to so many bytes (UTF-8). */
const cut = (text: string, bytes: number): string => {
  let end = '';
  let size = 0;
  for (const character of text) {
    size += encoder.encode(character).length;
    if (size > bytes) break;
    end += character;
  }
  return end;
};

/**
 * Makes a name for a file or folder of a text: any file system takes it, and it stays in its folder. U+FFFD is replaced, too, because
 * programs take it for a damaged name. An extension of up to 16 characters is kept. `fallback` is the name of a text of which
 * nothing is left.
 */
export const toArchiveName = (text: string, fallback: string): string => {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no file system takes them
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]+/gu, '-')
    .replace(/^[\s.]+|[\s.]+$/gu, '');
  const [extension = ''] = /\.[^.]{1,16}$/u.exec(plain) ?? [];
  const name = cut(plain.slice(0, plain.length - extension.length), maxNameBytes) + extension;
  if (name === '' || name === extension) return fallback + extension;
  return reserved.test(name) ? `_${name}` : name;
};

/** Returns a path that none of the taken ones equals, not even in another case, and takes it: `name (2).txt` after `name.txt`. */
export const toUniquePath = (path: string, taken: Set<string>): string => {
  const [extension = ''] = /\.[^./]{1,16}$/u.exec(path) ?? [];
  const start = path.slice(0, path.length - extension.length);
  let unique = path;
  for (let next = 2; taken.has(unique.toLowerCase()); next++)
    unique = `${start} (${next})${extension}`;
  taken.add(unique.toLowerCase());
  return unique;
};
