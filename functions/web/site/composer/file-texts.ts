/** Texts of the composer about files that it reads. */
export const fileTexts = {
  wrongEncoding: (name: string) =>
    `${name} is not a text file in UTF-8, UTF-16 or Windows-1252 (Latin-1).`,
  readAs: (name: string, encoding: string) => `${name} was read as ${encoding}.`,
  unreadable: (name: string) => `Can’t read ${name}.`,
} as const;
