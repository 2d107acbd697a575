/** Returns `unread-count` and `UNREAD_COUNT` as `UnreadCount`. */
export const toPascal = (text: string): string =>
  (/[a-z]/.test(text) ? text : text.toLowerCase()).replaceAll(
    /(?:^|[-_])(\w)/g,
    (_, letter: string) => letter.toUpperCase(),
  );
