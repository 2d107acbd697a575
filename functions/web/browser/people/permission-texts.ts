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
    jobs: 'Jobs',
    roles: 'Roles',
    profile: 'Profile',
    notifications: 'Notifications',
    checkin: 'Check-in',
    people: 'People',
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
