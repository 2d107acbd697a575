import { itemsOf } from '../table/table.ts';

/** An audit entry as a table item. */
export type Entry = Readonly<Record<string, unknown>>;

/** Whether a partition has entries by time. */
export const isEntry = (pk: unknown): boolean => /^AUDIT#\d+$/.test(String(pk));

/** Returns all audit entries, oldest first. */
export const entries = async (): Promise<Entry[]> =>
  (await itemsOf('AUDIT#'))
    .filter(({ pk }) => isEntry(pk))
    .sort((a, b) => String(a['sk']).localeCompare(String(b['sk'])));

/** Returns the details of the entries about a user that name an action, oldest first; those of one time in any order. */
export const detailsOf = async ({ id }: { readonly id: number }, wanted: string) =>
  (await entriesAbout(`user:${id}`))
    .filter(({ action }) => action === wanted)
    .map(({ after }) => after);

/** Returns the entries about one subject, oldest first. */
export const entriesAbout = async (subject: string): Promise<Entry[]> =>
  (await itemsOf(`AUDIT#SUBJECT#${subject}`)).sort((a, b) =>
    String(a['sk']).localeCompare(String(b['sk'])),
  );
