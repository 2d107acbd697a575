/** Texts about rich text that was pasted. */
export const richPasteTexts = {
  offer: 'Pasted as plain text.',
  convert: 'Paste as Markdown',
  tooLarge: 'Pasted as plain text: this is too large to become Markdown.',
  changed: 'The pasted text has changed since. Paste it again.',
} as const;
