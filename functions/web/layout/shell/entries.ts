import type { Permission } from '../../../../shared/permissions/permissions.ts';
import type { IconName } from '../icons.ts';

/** A page that the sidebar links to. */
export interface Entry {
  readonly path: `/${string}`;
  readonly label: string;
  readonly icon: IconName;
  /** Which number the sidebar shows beside it. */
  readonly count?: 'messages' | 'reports';
  /** Without it, the entry is for every signed-in user. */
  readonly permission?: Permission;
  /** Signed-out visitors can open it too. */
  readonly isPublic?: true;
  /** After `g`, this key opens it. */
  readonly key?: string;
}

/** The pages of the sidebar: everyone's, and those of administration. */
export const entries = {
  main: [
    { path: '/', label: 'Create', icon: 'plus', isPublic: true },
    { path: '/dashboard', label: 'Dashboard', icon: 'chart', key: 'd' },
    { path: '/shares', label: 'Shares', icon: 'share', key: 's' },
    {
      path: '/documents',
      label: 'Documents',
      icon: 'doc',
      permission: 'documents:view',
      key: 'o',
    },
    { path: '/files', label: 'Files', icon: 'folder', permission: 'files:view', key: 'f' },
    {
      path: '/messages',
      label: 'Messages',
      icon: 'chat',
      count: 'messages',
      permission: 'messages:view',
      key: 'm',
    },
    { path: '/calendar', label: 'Calendar', icon: 'cal', permission: 'calendar:view', key: 'c' },
    { path: '/sales', label: 'Sales', icon: 'coin', permission: 'sales:view' },
  ],
  administration: [
    { path: '/users', label: 'Users', icon: 'users', permission: 'users:view', key: 'u' },
    {
      path: '/moderation',
      label: 'Moderation',
      icon: 'flag',
      count: 'reports',
      permission: 'shares:manage',
    },
    { path: '/audit', label: 'Audit log', icon: 'log', permission: 'audit:view' },
    { path: '/settings', label: 'Settings', icon: 'sliders', permission: 'settings:view' },
  ],
} as const satisfies Readonly<Record<string, readonly Entry[]>>;
