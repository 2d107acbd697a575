/** Texts of who reads a file. */
export const sharingTexts = {
  everyoneAbout: 'Members who can view files',
  everyoneReads: 'Everyone who can view files can read it now',
} as const;
