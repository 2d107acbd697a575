/** Texts of the composer about the people who can open a share, which are loaded when they are chosen. */
export const peopleTexts = {
  add: 'Add people',
  hint: (count: string, most: string) =>
    `${count} of ${most} people. They get a notification and need to sign in.`,
  full: (most: string) => `${most} people at most.`,
  fullOrEveryone: (most: string) => `${most} people at most. Share with everyone here instead?`,
} as const;
