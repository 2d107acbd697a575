/** Texts of the composer about what can’t be shared, or the API refused. */
export const refusalTexts = {
  nobody: 'Add at least one person',
  missing: 'Enter it, or choose something else',
  signedOutMeanwhile:
    'You’re signed out. Sign in in another tab, then try again. Your draft is kept.',
  changedMeanwhile:
    'Not saved: this share changed after you opened it. Reload the page to see the current version and restore your draft.',
  compressed: (size: string) => `${size} compressed`,
} as const;
