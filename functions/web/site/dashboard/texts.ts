const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;

const times = (count: number, one: string, many: string): string =>
  count === 1 ? one : many.replace('#', count.toLocaleString('en'));

/** Texts of the dashboard. */
export const dashboardTexts = {
  theNewTask: 'the new task',
  title: 'Dashboard',
  newShare: 'New share',
  passwordReset: 'Password changed. Other devices were signed out.',
  views: { mine: 'Mine', service: 'Service' },
  whose: 'Whose numbers',

  greetings: { morning: 'Good morning', afternoon: 'Good afternoon', evening: 'Good evening' },
  greet: (greeting: string, name: string) => `${greeting}, ${name}`,
  dueToday: (count: number) => times(count, '1 task is due today', '# tasks are due today'),
  overdueCount: (count: number) => times(count, '1 task is overdue', '# tasks are overdue'),
  unreadCount: (count: number) =>
    times(count, 'you have 1 unread message', 'you have # unread messages'),
  nothingDue: 'Nothing is due today.',
  sentence: (parts: readonly string[]) => {
    const text = new Intl.ListFormat('en').format(parts);
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  },

  firstSteps: 'First steps',
  hideSteps: 'Hide',
  stepDone: (step: string) => `${step}, done`,
  steps: {
    share: 'Share something',
    file: 'Upload a file',
    invite: 'Invite someone',
    message: 'Write a message',
    event: 'Add an event',
  },
  /** What a user without the permission would do. */
  lackingSteps: { file: 'upload files', message: 'write messages', event: 'add events' },
  askForAccess: (steps: string) => `To ${steps}, ask an administrator for access.`,

  activeShares: 'Active shares',
  expiringSoon: (count: number) =>
    times(count, '1 expires within a week', '# expire within a week'),
  noneExpiring: 'None expires within a week',
  ownViews: 'Views of your shares',
  ofShares: (counted: number, total: number) => {
    if (total === 0) return 'No shares yet';
    return counted < total
      ? `Of your newest ${counted.toLocaleString('en')} shares`
      : times(total, 'Of 1 share', 'Of all # shares');
  },
  storage: 'Storage',
  storageUsed: 'Storage used',
  storageOf: (quota: string, files: number) => `of ${quota}, ${times(files, '1 file', '# files')}`,
  unreadMessages: 'Unread messages',
  allRead: 'All messages read',
  waiting: 'Waiting in your inbox',

  recentShares: 'Recent shares',
  allShares: 'All shares',
  noShares: 'You haven’t shared anything yet.',
  createShare: 'New share',
  protected: 'Password',
  viewCount: (views: string, count: number) => (count === 1 ? '1 view' : `${views} views`),
  viewsLeft: (left: number, limit: number) => `${left} of ${limit} left`,
  expires: (time: string) => `Expires ${time}`,
  copyLink: (name: string) => `Copy link to ${name}`,
  linkCopied: 'Link copied',
  copyFailed: 'Couldn’t copy the link.',

  tasks: 'Your tasks',
  addTask: 'New task',
  taskTitle: 'Title',
  taskDue: 'Due',
  add: 'Add task',
  cancel: 'Cancel',
  titleRequired: 'Enter a title.',
  taskDone: (title: string) => `“${title}” done`,
  undo: 'Undo',
  tryAgain: 'Try again',
  notSaved: (title: string, why: string) => `“${title}” wasn’t changed. ${why}`,
  due: (when: string) => when,
  overdue: (when: string) => `Overdue: ${when}`,
  dueDays: { today: 'Today', tomorrow: 'Tomorrow' },
  statuses: { pending: undefined, in_progress: 'In progress', done: 'Done' },
  priorities: { low: 'Low priority', medium: undefined, high: 'High priority' },
  allTasks: (count: number) => `Show all ${count}`,
  noTasks: 'No open tasks.',

  today: 'Today',
  allDay: 'All day',
  until: (time: string) => `Until ${time}`,
  types: { meeting: 'Meeting', task: 'Task', reminder: 'Reminder', holiday: 'Holiday' },
  inMinutes: (minutes: number) => `In ${minutes} min`,
  now: 'Now',
  noEvents: 'No events today.',
  zone: (name: string) => `Times are shown in your time zone, ${name}.`,
  noZone: 'Times are shown in UTC.',
  setZone: 'Set time zone',

  figures: 'Figures',
  users: 'Users',
  active: (count: string) => `${count} active`,
  revenue: 'Revenue',
  allTime: 'All time',
  orders: 'Orders',
  thisMonth: (count: string) => `${count} this month`,
  conversion: 'Conversion rate',
  conversionAbout: 'Orders per visit, this month',
  documents: 'Documents',
  files: 'Files',
  shares: 'Shares',
  messages: 'Messages',
  pendingTasks: 'Open tasks (all users)',
  newUsers: (percent: string) => `${percent} new users`,
  points: (points: string) => `${points} pp`,
  unchanged: 'No change',
  notCompared: 'No comparison yet',
  compared: (month: string, before: string) =>
    `Compares ${month} with ${before} (full months, UTC).`,

  choose: { days: 'Visits period', months: 'Sales period', by: 'Break down by' },
  days: (count: string) => `${count} days`,
  months: (count: string) => `${count} months`,
  by: (what: string) => (what === 'category' ? 'Sales by category' : 'Content by type'),
  asTable: 'Show as table',
  tableOf: (title: string) => `${title} (table)`,
  noChart: 'The chart couldn’t be loaded. The numbers are shown instead.',

  visits: 'Visits',
  date: 'Date (UTC)',
  visitors: 'Unique visitors',
  pageViews: 'Page views',
  visitsSum: (visits: number, pageViews: number, days: number) =>
    `Last ${counted(days, 'day')}: ${counted(visits, 'visit')}, ${counted(pageViews, 'page view')}.`,
  noVisits: 'No visits in this period.',

  sales: 'Sales',
  month: 'Month (UTC)',
  profit: 'Profit',
  salesSum: (sales: string, profit: string, orders: number, months: number) =>
    `Last ${counted(months, 'month')}: ${sales} in sales, ${profit} profit, ${counted(orders, 'order')}.`,
  noSales: 'No sales in this period.',

  parts: 'Breakdown',
  contents: { documents: 'Documents', files: 'Files', shares: 'Shares', messages: 'Messages' },
  others: (count: string) => `${count} more`,
  noCategories: 'No sales yet.',
  noContents: 'No content yet.',

  reported: 'Reported shares',
  moderation: 'Moderation',
  decide: 'Review',
  reports: (count: number) => times(count, '1 report', '# reports'),
  noReports: 'No reports to review.',
} as const;
