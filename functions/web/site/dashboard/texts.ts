const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;

/** Texts of the dashboard. */
export const dashboardTexts = {
  title: 'Dashboard',
  loading: 'Loading…',
  again: 'Try again',
  ownOnly: 'You can see your own tasks and events, but not service-wide numbers.',

  numbers: 'Overview',
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
  newUsers: (percent: string) => `New users: ${percent}`,
  points: (points: string) => `${points} pp`,
  notCompared: 'No comparison yet',
  compared: (month: string, before: string) =>
    `Compares ${month} with ${before} (full months, UTC).`,

  choose: { days: 'Visits period', months: 'Sales period', by: 'Break down by' },
  days: (count: string) => `Last ${count} days`,
  months: (count: string) => `Last ${count} months`,
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

  tasks: 'Your open tasks',
  due: (when: string) => `Due ${when}`,
  overdue: (when: string) => `Overdue since ${when}`,
  statuses: { pending: undefined, in_progress: 'In progress', done: 'Done' },
  priorities: { low: 'Low priority', medium: undefined, high: 'High priority' },
  allTasks: (count: number) => `Show all ${count}`,
  noTasks: 'No open tasks.',

  today: 'Today',
  allDay: 'All day',
  between: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
  from: (time: string) => `From ${time}`,
  until: (time: string) => `Until ${time}`,
  types: { meeting: 'Meeting', task: 'Task', reminder: 'Reminder', holiday: 'Holiday' },
  noEvents: 'No events today.',
  zone: (name: string) => `Times are shown in your time zone, ${name}.`,
  noZone: 'Times are shown in UTC.',
  setZone: 'Set time zone',
} as const;
