import type { Row } from '../../../../shared/text/csv-table.ts';

/** The columns of a file of users: fields of the API. Exports have them, too. */
export const importFields = [
  'email',
  'name',
  'username',
  'role',
  'permissions',
  'status',
  'phone',
  'timezone',
  'avatar',
] as const;

export type ImportField = (typeof importFields)[number];

/** A line of a file as text, without what is empty. */
export type ImportRow = Row<ImportField>;

/** The fields that every user needs. */
export const requiredFields = ['email', 'name'] as const satisfies readonly ImportField[];

/** The most lines of a request. */
export const maxLines = 500;

/** Converts a line to the fields of a new user. Permissions are words, with spaces, commas or semicolons between them. */
export const toFields = ({ permissions, ...texts }: ImportRow) => ({
  ...texts,
  ...(permissions !== undefined && {
    permissions: permissions.split(/[\s,;]+/).filter((entry) => entry !== ''),
  }),
});
