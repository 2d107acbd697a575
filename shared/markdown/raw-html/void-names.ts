/** Elements without an end tag that rendered Markdown has. */
export const voidNames: ReadonlySet<string> = new Set([
  ...['br', 'hr', 'img', 'input', 'source', 'wbr'],
]);
