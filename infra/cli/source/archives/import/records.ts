import { createHash } from 'node:crypto';
import { showPath } from '../../../../../shared/share-files/paths.ts';
import { CliError } from '../../error-mapping.ts';

/** A record of an archive, of which anything may be wrong. The service says what it doesn’t take. */
export type ArchivedRecord = Readonly<Record<string, unknown>>;

/** Whether a value is a record. */
export const isRecord = (value: unknown): value is ArchivedRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a text, or an empty one in place of anything else. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the records of a list; none of anything else. */
export const toRecords = (value: unknown): readonly ArchivedRecord[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** Returns the texts of a list; none of anything else. */
export const toTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Parses JSON of an archive. @throws CliError if it is none */
export const parseJson = (text: string, path: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(`${showPath(path)} is damaged: it isn’t JSON.`);
  }
};

/** Hashes what tells two records apart. */
export const hash = (...parts: readonly (string | Uint8Array)[]): string => {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(String(part.length)).update(' ').update(part);
  return sum.digest('hex');
};
