import { itemsOf } from '../table/table.ts';

/** An audit entry as a table item. */
export type Entry = Readonly<Record<string, unknown>>;

/** Returns all audit entries, oldest first. */
export const entries = async (): Promise<Entry[]> =>
  (await itemsOf('AUDIT#2'))
    .map((entry) => entry as Entry)
    .sort((a, b) => String(a['sk']).localeCompare(String(b['sk'])));

/** Returns the entries about one subject, oldest first. */
export const entriesAbout = async (subject: string): Promise<Entry[]> =>
  (await itemsOf(`AUDIT#SUBJECT#${subject}`)).sort((a, b) =>
    String(a['sk']).localeCompare(String(b['sk'])),
  );
