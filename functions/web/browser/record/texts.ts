/** Texts of forms that change a record. */
export const recordTexts = {
  discardTitle: 'Discard your changes?',
  discardText: (name: string) => `Your changes to ${name} aren’t saved.`,
  discard: 'Discard',
  conflictField: (label: string, mine: string, theirs: string) =>
    `${label}: yours is “${mine}”, theirs is “${theirs}”.`,
  keepMine: 'Keep mine',
  keepTheirs: 'Keep theirs',
} as const;
