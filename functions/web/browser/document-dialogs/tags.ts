/** Returns the tags of a text that separates them by commas, each once. */
export const parseTags = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim().replace(/^#/, ''))
      .filter((tag) => tag !== ''),
  ),
];

/** Returns what a text with a further tag, the one that is being typed, can be. */
export const suggestTags = (text: string, known: readonly string[]): readonly string[] => {
  const before = parseTags(text.slice(0, text.lastIndexOf(',') + 1));
  return known.filter((tag) => !before.includes(tag)).map((tag) => [...before, tag].join(', '));
};
