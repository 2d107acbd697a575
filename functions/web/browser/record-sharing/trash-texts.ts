/** Texts of what is done with the trash. */
export const trashTexts = {
  purge: 'Delete for good',
  purgeTitle: (what: string) => `Delete ${what} for good?`,
  purgeText: 'This can’t be undone.',
  restored: (what: string) => `${what} restored`,
  notRestored: (names: string, reason: string) => `Couldn’t restore ${names}. ${reason}`,
  purged: (what: string) => `${what} deleted for good`,
  notPurged: (names: string, reason: string) => `Couldn’t delete ${names}. ${reason}`,
} as const;
