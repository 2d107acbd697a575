const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

/** Returns the text that micromark escaped. */
export const decodeText = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity);
