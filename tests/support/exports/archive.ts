import type { Actor } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { parseUser } from '../../../shared/auth/user.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import type { ArchiveSection } from '../../../shared/exports/archive-entry.ts';
import type { Person } from '../users/test-users.ts';

/** The owner of an archive, who may do nothing unless the test says so. */
export const ownerOf = async (
  { id }: Pick<Person, 'id'>,
  permissions: Actor['permissions'] = [],
): Promise<Actor> => {
  const [item] = await batchGet([userKeys.record.at({ id })]);
  const user = parseUser(item);
  if (!user) throw new Error('There is no such user.');
  return { user, sessionId: undefined, isLimited: false, permissions };
};

/** What a section gives: contents by path, in order, the times of entries and what was left out. */
export interface ReadSection {
  readonly paths: readonly string[];
  readonly compressed: readonly string[];
  readonly leftOut: readonly string[];
  text(path: string): string;
  bytes(path: string): Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the fields that it needs
  json(path: string): any;
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the fields that it needs
  rows(path: string): any[];
}

const gather = async (content: string | Uint8Array | AsyncIterable<Uint8Array>) => {
  if (typeof content === 'string') return Buffer.from(content);
  if (content instanceof Uint8Array) return Buffer.from(content);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
};

/** What only the table has: keys of items, and when they expire. They can name other users. */
const innerField = /"(pk|sk|gsi1pk|gsi1sk|ttl)":/;

/** Reads a section of a user’s archive as the function does: each entry before the next one. Nothing in it may be the table's. */
export const readSection = async (
  section: ArchiveSection,
  person: Pick<Person, 'id'>,
  permissions: Actor['permissions'] = [],
): Promise<ReadSection> => {
  const contents = new Map<string, Buffer>();
  const compressed: string[] = [];
  const leftOut: string[] = [];
  const notes = { leftOut: (text: string) => void leftOut.push(text) };
  for await (const entry of section.entries(await ownerOf(person, permissions), notes)) {
    if (contents.has(entry.path)) throw new Error(`${entry.path} is there twice.`);
    const content = await gather(entry.content);
    if (innerField.test(content.toString())) throw new Error(`${entry.path} has items as stored.`);
    contents.set(entry.path, content);
    if (entry.isCompressed) compressed.push(entry.path);
  }
  const bytes = (path: string): Buffer => {
    const found = contents.get(path);
    if (!found) throw new Error(`${path} is not among ${[...contents.keys()].join(', ')}.`);
    return found;
  };
  const text = (path: string): string => bytes(path).toString();
  return {
    ...{ paths: [...contents.keys()], compressed, leftOut, bytes, text },
    json: (path) => JSON.parse(text(path)),
    rows: (path) =>
      text(path)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  };
};
