/** Texts of the composer for a share that is edited, which are loaded with it. */
export const storedTexts = {
  textIsBack: 'Draft restored. Options are those of the saved share.',
  keepExpiry: (time: string) => `Keep current: ${time}`,
  editing: 'You’re editing a share. Its link stays the same.',
  ended: 'This share has ended and can’t be edited.',
} as const;
