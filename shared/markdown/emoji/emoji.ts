import { countBytes } from '../../text/count-bytes.ts';

const mayHold = /:[\w+-]+:/;

/**
 * Replaces the shortcodes of GitHub (`:rocket:`) in a fragment by their emoji. Its list is loaded for a fragment that may
 * have one. They stay in a fragment that would exceed `maxBytes` (UTF-8).
 */
export const withEmoji = async (html: string, maxBytes: number): Promise<string> => {
  if (!mayHold.test(html)) return html;
  const { replaceShortcodes } = await import('./shortcodes.ts');
  const replaced = replaceShortcodes(html);
  if (replaced.length <= html.length) return replaced;
  return countBytes(replaced) <= maxBytes ? replaced : html;
};
