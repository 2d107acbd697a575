/** What pages call the options of a share, by their names in the API. */
export const optionTexts = {
  audience: 'Who can open it',
  readers: 'People who can open it',
  title: 'Title',
  description: 'Description',
  slug: 'Name in the link',
  viewLimit: 'View limit',
  notify: 'Notify me once opened',
  readersCanEnd: 'Readers can end it',
  showsRevisions: 'Readers see revisions',
  embedOrigins: 'Sites that can embed it',
} as const;
