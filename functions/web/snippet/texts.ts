/** Texts of the snippets host. */
export const snippetTexts = {
  notInFrame: 'This snippet can’t be displayed. Reload the page.',
  nothingHere: 'There is nothing at this address.',
  onlyWithinPage: 'A snippet is only shown within its page.',
  goToSnippet: 'Go to snippet',
  diagram: 'Diagram',
} as const;
