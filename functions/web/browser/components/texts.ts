/** Texts of the components. */
export const componentTexts = {
  close: 'Close',
  cancel: 'Cancel',
  undo: 'Undo',
  tryAgain: 'Try again',
  tryAgainIn: (seconds: number) => `Try again in ${seconds} s`,
  clearFilters: 'Clear filters',
  required: (label: string) => `${label} is required.`,
  selectAll: 'Select all on this page',
  select: (name: string) => `Select ${name}`,
  selected: (count: string) => `${count} selected`,
  withSelected: 'Actions for the selection',
  clearSelection: 'Clear selection',
  actions: 'Actions',
  sortBy: 'Sort by',
  sorted: {
    ascending: (column: string) => `${column}, ascending`,
    descending: (column: string) => `${column}, descending`,
  },
  actionsFor: (name: string) => `Actions for ${name}`,
  previous: 'Previous',
  next: 'Next',
  showMore: 'Show more',
  pages: 'Pages',
  range: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
  atLeast: (total: string) => `${total}+`,
  loading: 'Loading…',
  deleted: (name: string) => `${name} deleted`,
  deletedSome: (count: string) => `${count} items deleted`,
  notDeleted: (names: string, reason: string) => `Couldn’t delete ${names}. ${reason}`,
} as const;

/** Texts of the choice of permissions. */
export const permissionTexts = {
  area: 'Area',
  areas: {
    users: 'Users',
    documents: 'Documents',
    files: 'Files',
    calendar: 'Calendar',
    messages: 'Messages',
    dashboard: 'Dashboard',
    shares: 'Shares',
    sales: 'Sales',
    audit: 'Audit',
    settings: 'Settings',
  },
  actions: { view: 'View', create: 'Create', update: 'Edit', delete: 'Delete', manage: 'Manage' },
  cell: (area: string, action: string) => `${area}: ${action.toLowerCase()}`,
  reasons: {
    fixed: 'Comes with the role',
    notGrantable: 'You don’t have this permission',
  },
  notes: {
    fixed: 'Checked gray boxes come with the role.',
    notGrantable: 'You can only choose permissions you have.',
  },
} as const;
