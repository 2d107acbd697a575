/** Texts of the snippets host. */
export const snippetTexts = {
  notInFrame: 'This snippet can’t be displayed. Reload the page.',
} as const;
