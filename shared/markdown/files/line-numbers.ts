/** Returns the prefix of the ids of a file’s lines: `L` if a text has only one file, else with its number. */
export const lineIdPrefix = (number: number, count: number): string =>
  count === 1 ? 'L' : `file${number}-L`;

/** Marks the start of each line of highlighted code, so that a link can lead to it: `#L10`. The code ends with a line ending. */
export const numberLines = (code: string, prefix: string): string => {
  let number = 0;
  return code.replace(/(?:^|\r\n?|\n)(?!(?:<\/span>)*$)/g, (ending) => {
    number++;
    return `${ending}<b id="${prefix}${number}"></b>`;
  });
};
