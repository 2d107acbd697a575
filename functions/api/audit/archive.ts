import type { Actor } from '../../../shared/auth/actor.ts';
import type { ArchiveSection } from '../../../shared/exports/archive-entry.ts';
import { toJsonLines } from '../../../shared/exports/archive-lines.ts';
import { can } from '../../../shared/permissions/permissions.ts';
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

/** Of what another user did: who that is, and where. */
const withoutActor = {
  ...{ actor: null, token: null, via: null, address: null, requestId: null, users: [] },
} as const;

/** Of what the user did to others' records while that was allowed: what these were called and had. */
const withoutValues = { subjectName: null, before: null, after: null, users: [] } as const;

/**
 * What a user learns of an entry. Who may not read the audit log learns of other subjects only the names of the changed fields:
 * what was done there as an administrator is data of others.
 */
const toOwn = (entry: NamedEntry, { user, permissions }: Actor) => {
  const shown = Entry.parse(toResponse(entry));
  const isOthers = entry.actorId !== undefined && entry.actorId !== user.id;
  if (isOthers) return { ...shown, ...withoutActor };
  if (entry.subject === `user:${user.id}` || can(permissions, 'audit:view')) return shown;
  const changed = [...new Set(Object.keys({ ...shown.before, ...shown.after }))];
  return { ...shown, ...withoutValues, changed };
};

async function* readOwn(owner: Actor): AsyncGenerator<object> {
  const { id } = owner.user;
  for await (const entry of readEntries(id, { actor: id })) yield toOwn(entry, owner);
  for await (const entry of readEntries(id, { subject: `user:${id}` })) {
    if (entry.actorId !== id) yield toOwn(entry, owner);
  }
}

/** What the audit log has of a user: what they did, then what happened to the account otherwise, each newest first. */
export const section: ArchiveSection = {
  name: 'audit',
  async *entries(owner) {
    yield { path: 'audit.ndjson', content: toJsonLines(readOwn(owner)) };
  },
};
