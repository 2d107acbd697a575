/** Texts of who reads a file. */
export const sharingTexts = {
  everyoneAbout: 'Members who can view files',
  openTo: {
    none: 'Only those listed have access now',
    reader: 'Everyone who can view files can read it now',
  },
} as const;
