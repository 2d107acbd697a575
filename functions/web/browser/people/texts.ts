const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

/** Texts of the search for people, some by what the directory finds people by. */
export const peopleTexts = {
  placeholders: { members: 'Name or email', exact: 'Whole email address' },
  hints: { members: '', exact: 'Names can’t be searched here.' },
  none: {
    members: (text: string) => `No one here is called “${text}”.`,
    exact: () => 'No active user has this email address.',
  },
  notEnough: 'Enter the whole email address.',
  off: 'Finding people is turned off in this service. An administrator can turn it on.',
  added: 'Added',
  you: 'You',
  addAddress: 'Add this address',
  found: (count: number) => `${people(count)} found`,
  onlyFirst: (count: number) => `The first ${count}. Type more to find others.`,
  wasAdded: (names: string, count: number) => `${names} added, ${people(count)}`,
  wasRemoved: (name: string, count: number) => `${name} removed, ${people(count)}`,
  onlyOne: 'Only one person.',
  remove: (name: string) => `Remove ${name}`,
  removesNext: (name: string) => `Backspace again removes ${name}.`,
  notChosen: (text: string) => `Choose someone for “${text}”, or clear the field.`,
  looking: (count: number) => `Looking for ${people(count)}…`,
  notAddresses: (text: string) => `Not an email address: ${text}.`,
  notFound: (text: string) => `Not found: ${text}.`,
  keys: { move: 'move', add: 'add', close: 'close' },
} as const;
