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

const listPermissions: Readonly<Record<ListKind, readonly Permission[]>> = {
  users: ['users:export', 'users:view'],
  sales: ['sales:export', 'sales:view'],
  audit: ['audit:export', 'audit:view'],
  shares: ['shares:export', 'shares:manage'],
};

/** Returns whether an export has nothing but the user's own: its query says so, of a list. */
const isOwn = (kind: ExportKind, query: string): boolean =>
  kind === 'own-data' || (kind === 'shares' && new URLSearchParams(query).get('mine') === 'true');

/** Returns what a user must be allowed to, when an export is asked for, when it is made and when it is downloaded. */
export const getExportPermissions = ({
  kind,
  query,
}: {
  readonly kind: ExportKind;
  readonly query: string;
}): readonly Permission[] =>
  kind === 'own-data' || isOwn(kind, query) ? [] : listPermissions[kind];

/** The type of the file of each format. */
export const contentTypeOf: Readonly<Record<ExportFormat, string>> = {
  zip: 'application/zip',
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** How files of each kind are called, and what people call it. */
export const exportNames: Readonly<Record<ExportKind, { file: string; text: string }>> = {
  'own-data': { file: 'handbill', text: 'your data' },
  users: { file: 'users', text: 'the users' },
  sales: { file: 'sales', text: 'the sales' },
  audit: { file: 'audit', text: 'the audit log' },
  shares: { file: 'shares', text: 'the shares' },
};
