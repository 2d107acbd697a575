/** Texts of the search for people, some by what the directory finds people by. */
export const peopleTexts = {
  labels: { members: 'Name or email', exact: 'Whole email address' },
  hints: { members: '', exact: 'Names aren’t searched in this service.' },
  none: {
    members: 'No one found. Try another name.',
    exact: 'No active user has this email address.',
  },
  onlyAdded: 'Found, but already added, or it’s you.',
  off: 'Finding people is turned off in this service. An administrator can turn it on.',
} as const;
