/** The texts of the shell. */
export const shellTexts = {
  paletteFailed: 'Search is unavailable. Pages and actions still work.',
  keysFailed: 'The list of shortcuts didn’t load. They still work.',
  notAsked: 'Your changes aren’t saved. This page couldn’t load the question about them.',
  bell: {
    title: 'Notifications',
    failed: 'Couldn’t load notifications.',
  },
  checkin: {
    earned: (points: number) => (points === 1 ? '1 point earned' : `${points} points earned`),
    days: (days: number) => (days === 1 ? '1 day in a row' : `${days} days in a row`),
    done: 'Checked in',
    already: 'You’ve already checked in today.',
  },
  offline: 'Offline. Changes can’t be sent.',
  dates: { label: 'Dates', system: 'Browser default' },
  tryAgain: 'Try again',
  notLoaded: 'This part didn’t load. The service may be newer than this page.',
  reload: 'Reload',
} as const;
