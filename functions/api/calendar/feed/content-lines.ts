/*
 * Writes iCalendar content lines (RFC 5545 §3.1): a name, parameters and a value, folded to 75 bytes and ended by CRLF. User
 * text enters lines only here.
 */

const maxLineBytes = 75;

/** Control characters that iCalendar text can't contain (§3.3.11). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Escapes text so that it can't end the value or the line (RFC 5545 §3.3.11). */
export const escapeText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(controlCharacters, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** Folds a line. Continuation lines start with a space; characters are not split. */
const fold = (line: string): string => {
  if (Buffer.byteLength(line) <= maxLineBytes) return line;
  let [folded, bytes] = ['', 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > maxLineBytes) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
};

/** Folds and joins lines such as `SUMMARY:Lunch`. */
export const toContent = (lines: readonly string[]): string =>
  lines.map((line) => `${fold(line)}\r\n`).join('');

/** Returns the lines of a component, without absent ones. */
export const formatComponent = (name: string, lines: readonly (string | undefined)[]): string[] => [
  `BEGIN:${name}`,
  ...lines.filter((line) => line !== undefined),
  `END:${name}`,
];
