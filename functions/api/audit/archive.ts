import type { ArchiveSection } from '../../../shared/exports/archive-entry.ts';
import { toJsonLines } from '../../../shared/exports/archive-lines.ts';
import { type AuditFilter, find, loadPage, type NamedEntry } from './audit.ts';
import { Entry, toResponse } from './schemas.ts';

/** How many entries are read at once. */
const pageSize = 100;

/** Reads all entries of a filter, newest first. */
async function* readEntries(userId: number, filter: AuditFilter): AsyncGenerator<NamedEntry> {
  for (let cursor: string | undefined; ; ) {
    const request = { pageSize, ...(cursor !== undefined && { cursor }) };
    const { items, nextCursor } = await loadPage(await find(userId, filter, request));
    yield* items;
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

/** What a user learns of an entry that is about the account: that of another user says nothing of who that is, and where. */
const toOwn = (entry: NamedEntry, userId: number) => {
  const shown = Entry.parse(toResponse(entry));
  const isOthers = entry.actorId !== undefined && entry.actorId !== userId;
  return isOthers
    ? { ...shown, actor: null, token: null, via: null, address: null, requestId: null, users: [] }
    : shown;
};

async function* readOwn(userId: number): AsyncGenerator<object> {
  for await (const entry of readEntries(userId, { actor: userId })) yield toOwn(entry, userId);
  for await (const entry of readEntries(userId, { subject: `user:${userId}` })) {
    if (entry.actorId !== userId) yield toOwn(entry, userId);
  }
}

/** What the audit log has of a user: what they did, then what happened to the account otherwise, each newest first. */
export const section: ArchiveSection = {
  name: 'audit',
  async *entries({ user }) {
    yield { path: 'audit.ndjson', content: toJsonLines(readOwn(user.id)) };
  },
};
