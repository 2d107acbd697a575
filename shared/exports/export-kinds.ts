import type { Permission } from '../permissions/permissions.ts';

/** What can be taken out: all of one's own data, or a list. */
export const exportKinds = ['own-data', 'users', 'sales', 'audit', 'shares'] as const;
export type ExportKind = (typeof exportKinds)[number];

/** A list that can be taken out. */
export type ListKind = Exclude<ExportKind, 'own-data'>;

export const exportFormats = ['zip', 'csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportStatuses = ['waiting', 'running', 'ready', 'failed'] as const;
export type ExportStatus = (typeof exportStatuses)[number];

/** What a user must be allowed to: asked when the export is asked for, when it is made and when it is downloaded. */
export const exportPermissions: Readonly<Record<ExportKind, readonly Permission[]>> = {
  'own-data': [],
  users: ['users:export', 'users:view'],
  sales: ['sales:export', 'sales:view'],
  audit: ['audit:export', 'audit:view'],
  shares: ['shares:export', 'shares:manage'],
};
