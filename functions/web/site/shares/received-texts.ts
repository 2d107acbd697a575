/** Texts of the list of shares for the user. */
export const receivedTexts = {
  list: 'Shared with you',
  columns: { title: 'Title', from: 'From', why: 'Why you see it', sharedAt: 'Shared' },
  anyone: 'All',
  isNew: 'New',
  why: {
    you: 'You',
    youAnd: (others: string) => `You and ${others} more`,
    everyone: 'Everyone here',
  },
  open: 'Open',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  copyFailed: 'Couldn’t copy the link.',
  remove: 'Remove from list',
  removed: (name: string) => `Removed “${name}” from your list`,
  notRemoved: (name: string, reason: string) =>
    `Couldn’t remove “${name}” from your list. ${reason}`,
  protected: 'password',
  needsKey: (name: string) => `ask ${name} for the whole link`,
  none: 'Nothing shared with you yet',
  noneAbout: 'When someone shares a page with you or with everyone here, it’s listed here.',
  noMatch: 'No shares match your search.',
  ofNewest: (count: string) => `From the ${count} most recent shares.`,
} as const;
