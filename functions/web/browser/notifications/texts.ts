/** The texts of notifications, in the bell’s list and on their page. */
export const notificationTexts = {
  filter: 'Filter',
  all: 'All',
  unread: 'Unread',
  markAll: 'Mark all as read',
  did: (name: string, action: string) => `${name} ${action}`,
  sentMessages: (names: string, count: number) => `${names} sent you ${count} messages`,
  otherPeople: (count: number) => `${count} others`,
  mark: (title: string) => `Mark as read: ${title}`,
  notMarked: 'Couldn’t mark as read.',
  none: 'No notifications yet',
  noneAbout: 'Invitations, messages and reports appear here.',
  noneUnread: 'You’re all caught up',
  showAll: 'Show all',
  showPage: 'Notifications page',
} as const;
