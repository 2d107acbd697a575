/*
 * How iCalendar is written (RFC 5545 §3.1): lines of a name, parameters and a value, each folded to 75 bytes at most and
 * ended by CRLF. Only here do texts of users become lines.
 */

const maxLineBytes = 75;

/** What would end a line, or may stand in no text (§3.3.11): descriptions may have some of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
const notInText = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** A text as a value: nothing of it ends the line or the value (RFC 5545 §3.3.11). */
export const escapeText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(notInText, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** Lines that go on begin with a space; no character is cut in two. */
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

/** Lines such as `SUMMARY:Lunch`, folded and ended, as they are sent. */
export const toContent = (lines: readonly string[]): string =>
  lines.map((line) => `${fold(line)}\r\n`).join('');

/** The lines of a component, without those that are absent. */
export const formatComponent = (name: string, lines: readonly (string | undefined)[]): string[] => [
  `BEGIN:${name}`,
  ...lines.filter((line) => line !== undefined),
  `END:${name}`,
];
