/** Texts of what is done with a document, on the list and on its page. */
export const documentTexts = {
  cancel: 'Cancel',
  save: 'Save',
  done: 'Done',

  shareTitle: (title: string) => `Share “${title}”`,
  access: 'Who can read it',
  visibilities: {
    private: 'You and the people below',
    everyone: 'Everyone who can view documents',
  },
  people: 'People',
  search: 'Search by name or email',
  searchHint: 'They can read it, not change it. Each is notified.',
  noneFound: 'No one found. Try another name.',
  mayNotSearch: 'You can’t search for people: that needs permission to view users.',
  full: (max: string) => `Shared with ${max} people, the maximum. Remove someone to add others.`,
  notShared: 'Not shared with anyone yet',
  sharedWith: (name: string) => `Shared with ${name}`,
  takenAway: (name: string) => `No longer shared with ${name}`,
  takeAway: (name: string) => `Stop sharing with ${name}`,
  everyoneReads: 'Everyone who can view documents can read it now',
  onlyReadersRead: 'Only you and the people below can read it now',
  copyLink: 'Copy link',
  copied: 'Link copied',
  notCopied: 'Couldn’t copy the link. Copy it from the address bar of its page.',
} as const;
