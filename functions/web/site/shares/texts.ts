/** Texts of the shares page. */
export const sharesTexts = {
  title: 'Shares',
  search: 'Search titles and descriptions',
  status: 'Status',
  statuses: { all: 'All', active: 'Active', ended: 'Ended', 'taken-down': 'Taken down' },
  create: 'New share',
  none: 'Nothing shared yet',
  noneAbout: 'Write or paste something and share it with a link. You decide how long it lives.',
  noMatch: 'No shares match your search.',
  ofNewest: (count: string) => `From your ${count} most recent shares.`,
  ofOldest: (count: string) => `From your ${count} oldest shares.`,
  columns: {
    title: 'Title',
    access: 'Access',
    views: 'Views',
    expiresAt: 'Expires',
    createdAt: 'Created',
  },
  open: 'Open',
  copyLink: 'Copy link',
  links: 'Views and links',
  edit: 'Edit',
  revisions: 'Revisions',
  duplicate: 'Duplicate',
  extend: 'Extend',
  end: 'End now',
  delete: 'Delete',
  protected: 'Password',
  active: 'Active',
  never: 'Never',
  views: (views: string) => `${views} views`,
  oneView: '1 view',
  viewsLeft: (left: string, limit: string) =>
    `${left} of ${limit === '1' ? '1 view' : `${limit} views`} left`,
  ended: (name: string) => `“${name}” ended`,
  notEnded: (name: string, reason: string) => `Couldn’t end “${name}”. ${reason}`,
  extendOne: (name: string) => `Extend “${name}”`,
  extendSome: (count: string) => `Extend ${count} shares`,
  newExpiration: 'New expiration',
  expirations: {
    86400: 'In 1 day',
    604800: 'In 1 week',
    2592000: 'In 30 days',
    never: 'Never',
    date: 'Custom date',
  },
  expiresOn: 'Expires on',
  dateWrong: 'Choose a time in the future.',
  extendNow: 'Extend',
  endedStay: (count: number) =>
    count === 1
      ? '1 of the selected shares has ended and stays so.'
      : `${count} of the selected shares have ended and stay so.`,
  laterStay: (count: number) =>
    count === 1
      ? '1 share expires later already and stays so.'
      : `${count} shares expire later already and stay so.`,
  onlyActive: 'Ended shares can’t be extended.',
  extended: (name: string, time: string | undefined) =>
    time === undefined ? `“${name}” never expires` : `“${name}” expires ${time}`,
  extendedSome: (count: string, time: string | undefined) =>
    time === undefined ? `${count} shares never expire` : `${count} shares expire ${time}`,
  notExtended: (names: string, reason: string) => `Couldn’t extend ${names}. ${reason}`,
  notRestored: (names: string, reason: string) =>
    `Couldn’t restore the expiration of ${names}. ${reason}`,
  linkCopied: 'Link copied',
  copyFailed: 'Couldn’t copy the link.',
} as const;
