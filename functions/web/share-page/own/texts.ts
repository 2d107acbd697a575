/** Texts of a share’s page that only its owner sees. */
export const ownTexts = {
  label: 'Your share',
  own: 'This is yours',
  visits: 'Your visits aren’t counted',
  views: (count: number) => (count === 1 ? '1 view' : `${count.toLocaleString('en')} views`),
  anyone: 'anyone with the link',
  anyoneWithPassword: 'anyone with the link and the password',
  everyone: 'everyone here',
  people: (count: number) => (count === 1 ? '1 person' : `${count} people`),
  named: (name: string, others: number) =>
    others === 0 ? name : `${name} and ${others === 1 ? '1 other' : `${others} others`}`,
  onlyYou: 'only you',
  withPassword: (who: string) => `${who}, with the password`,
  preview: 'Preview',
  edit: 'Edit',
  stop: 'Stop',

  previewing: 'Preview. This is what readers see; no view is counted.',
  closePreview: 'Close preview',

  unopened: 'Not opened yet',
  opened: (count: number) => (count === 1 ? 'Opened once' : `Opened ${count} times`),
  endsFirst: 'ends with the first opening',
  endsNext: 'ends with the next opening',
  lastView: '1 view left',
  veilWhy:
    'Look at it as often as you like: a preview uses no view. The link still works for your reader.',

  ended: 'Your share has ended',
  endedOn: 'Ended on',
  causes: {
    owner: 'You stopped sharing it.',
    reader: 'A reader ended it.',
    moderator: 'A moderator ended it.',
    views: 'All its views were used.',
    time: 'It expired.',
  },
  openedUntil: (count: number) =>
    count === 0
      ? 'It was never opened.'
      : count === 1
        ? 'It was opened once.'
        : `It was opened ${count.toLocaleString('en')} times.`,
  takenDown: 'Your share was taken down',
  takenDownOn: 'Taken down on',
  takenDownBy: 'A moderator removed it.',
  reason: (reason: string) => `A moderator removed it and wrote: “${reason}”`,
  toShares: 'Your shares',
  newShare: 'New share',
} as const;
