import type { Event } from 'micromark-util-types';

/**
 * Renders the front matter of a parsed text as GitHub does. Returns an empty string if there is none. Its parser is loaded
 * for a text that has some.
 */
export const renderFrontMatter = async (events: readonly Event[]): Promise<string> => {
  const [, token, context] = events[0] ?? [];
  const type: string | undefined = token?.type;
  if (!token || !context || (type !== 'yaml' && type !== 'toml')) return '';
  const { toTable } = await import('./to-table.ts');
  return toTable(context.sliceSerialize(token), type);
};
