/** Texts of the composer about what the API refused. */
export const refusalTexts = {
  signedOutMeanwhile:
    'You’re signed out. Sign in in another tab, then try again. Your draft is kept.',
  changedMeanwhile:
    'Not saved: this share changed after you opened it. Reload the page to see the current version and restore your draft.',
  tooLargeSent:
    'Too large after encoding. Shorten it, or use fewer quotation marks and line breaks.',
} as const;
