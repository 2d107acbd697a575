/** Returns the prefix of the ids of a file’s lines: `L` if a text has only one file, else with its number. */
export const lineIdPrefix = (number: number, count: number): string =>
  count === 1 ? 'L' : `file${number}-L`;

/** Line endings as markup that begins one line each and has them as its text: a parser of HTML would replace CR. */
const markup: Readonly<Record<string, string>> = {
  '\n': '\n',
  '\r\n': '&#13;\n',
  '\r': '&#13;<br>',
};

/** The last line ending if it ends the code, and the end tags behind it. */
const lastEnding = /(?:\r\n|\r|(?<!\r)\n)(?:<\/span>)*$/;

/**
 * Marks the start of each line of highlighted code, so that a link can lead to it: `#L10`. Lines end with LF, CRLF or CR, and
 * the ending of the last begins none. The text of the result is that of the code, to the character.
 */
export const numberLines = (code: string, prefix: string): string => {
  if (code === '') return '';
  const last = code.search(lastEnding);
  let number = 1;
  const rest = code.replace(/\r\n?|\n/g, (ending, at: number) => {
    const written = markup[ending] ?? '';
    if (at === last) return written;
    number++;
    return `${written}<b id="${prefix}${number}"></b>`;
  });
  return `<b id="${prefix}1"></b>${rest}`;
};
