/** The numbers that a page keeps current, with the greatest that fits beside each. */
const most = { messages: 99, notifications: 9, reports: 99 } as const;

export type CountName = keyof typeof most;

/** Returns a number as it is shown: `99+` if it is greater than what fits. */
export const formatCount = (name: CountName, count: number): string =>
  count > most[name] ? `${most[name]}+` : String(count);

/** Returns the label of the bell, which says the number as it is shown, for those who speak it. */
export const labelBell = (count: number): string =>
  count === 0 ? 'Notifications' : `Notifications, ${formatCount('notifications', count)} new`;
