/** Texts of the host of snippets. */
export const snippetTexts = {
  notInFrame: 'The snippet can’t be shown: load the page again.',
} as const;
